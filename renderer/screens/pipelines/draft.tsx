// The draft of a new pipeline, kept while another screen is open.
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import type { PipelineKind } from '../../../engine/contract/pipelines/pipeline.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { type ChosenFilters, noFilters } from '../directory/chosen-filters.ts';
import type { Picked } from '../directory/picked-people.tsx';
import { type KeptFlow, useNewFlow } from '../enrich/flow.tsx';

export interface Draft {
  /** The source of contacts: people of the directory, or the rows of a spreadsheet. */
  readonly source: 'people' | 'file';
  readonly chosen: ChosenFilters;
  readonly text: string;
  readonly directory: SearchedDirectory;
  readonly picked: Picked;
  /** Maximum number of people; null for all found. */
  readonly limit: number | null;
  readonly unlock: Readonly<Record<PipelineKind, boolean>>;
  readonly verify: boolean;
  /** null while the proposed title is used. */
  readonly title: string | null;
}

const emptyDraft: Draft = {
  source: 'people',
  chosen: noFilters,
  text: '',
  picked: null,
  limit: null,
  title: null,
  directory: 'own',
  unlock: { email: true, phone: false },
  verify: false,
};

interface KeptDraft {
  readonly draft: Draft;
  readonly file: KeptFlow;
  change(part: Partial<Draft>): void;
  /** Removes the contacts; the choice of values to unlock stays. */
  clear(): void;
}

const DraftContext = createContext<KeptDraft | null>(null);

/** Keeps one draft while the page is open. */
export function DraftProvider({ children }: { children: ReactNode }) {
  const [draft, setDraft] = useState(emptyDraft);
  const file = useNewFlow();
  const change = useCallback(
    (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    [],
  );
  const value = useMemo<KeptDraft>(
    () => ({
      draft,
      file,
      change,
      clear() {
        file.actions.clear();
        setDraft(({ unlock, verify }) => ({ ...emptyDraft, unlock, verify }));
      },
    }),
    [draft, file, change],
  );
  return <DraftContext value={value}>{children}</DraftContext>;
}

export function useDraft(): KeptDraft {
  const value = use(DraftContext);
  if (!value) throw new Error('useDraft stands outside DraftProvider');
  return value;
}
