/** The pipeline that is being put together; kept while another screen is looked at. */
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import type { PipelineKind } from '../../../engine/contract/pipelines/pipeline.ts';
import { type ChosenFilters, noFilters } from '../directory/search-filters.tsx';
import { type KeptFlow, useNewFlow } from '../enrich/flow.tsx';

/** What is chosen so far. */
export interface Draft {
  /** Whom it is about: people of the directory, or the rows of a spreadsheet. */
  readonly source: 'people' | 'file';
  readonly chosen: ChosenFilters;
  /** People at most; null for everybody who is found. */
  readonly limit: number | null;
  readonly unlock: Readonly<Record<PipelineKind, boolean>>;
  readonly verify: boolean;
  /** null while the one that is proposed will do. */
  readonly title: string | null;
}

const emptyDraft: Draft = {
  ...{ source: 'people', chosen: noFilters, limit: null, title: null },
  unlock: { email: true, phone: false },
  verify: false,
};

/** The draft, the spreadsheet that belongs to it, and what can be done with them. */
interface KeptDraft {
  readonly draft: Draft;
  readonly file: KeptFlow;
  change(part: Partial<Draft>): void;
  /** Forgets whom it is about; what is to be unlocked stays. */
  clear(): void;
}

const DraftContext = createContext<KeptDraft | null>(null);

/** Keeps a draft for the page's life. */
export function DraftProvider({ children }: { children: ReactNode }) {
  const [draft, setDraft] = useState(emptyDraft);
  const file = useNewFlow();
  const value = useMemo<KeptDraft>(
    () => ({
      ...{ draft, file },
      change: (part) => setDraft((before) => ({ ...before, ...part })),
      clear() {
        file.actions.clear();
        setDraft(({ unlock, verify }) => ({ ...emptyDraft, unlock, verify }));
      },
    }),
    [draft, file],
  );
  return <DraftContext value={value}>{children}</DraftContext>;
}

/** The draft and what can be done with it. */
export function useDraft(): KeptDraft {
  const value = use(DraftContext);
  if (!value) throw new Error('useDraft stands outside DraftProvider');
  return value;
}
