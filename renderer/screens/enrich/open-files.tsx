/**
 * Opens files that were dropped or pasted: at once, or after a question if a setup exists or there
 * are several.
 */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useCallback,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { lazyPart, useLazyPart } from '../../lazy-part.tsx';
import { useFlow } from './flow.tsx';
import type { OpenQuestion as Question } from './several/open-question.tsx';

const question = lazyPart(() =>
  import('./several/open-question.tsx').then((file) => file.OpenQuestion),
);

/** Loads the question when it is first asked. */
function OpenQuestion(props: ComponentProps<typeof Question>) {
  const { Component } = useLazyPart(question);
  return Component ? <Component {...props} /> : null;
}

const OpenFilesContext = createContext<((files: readonly File[]) => void) | null>(null);

/** Opens files on the Enrich screen: one at once, several as one list or one after the other. */
export function useOpenFiles(): (files: readonly File[]) => void {
  const open = use(OpenFilesContext);
  if (!open) throw new Error('useOpenFiles is used outside OpenFiles');
  return open;
}

/** Provides the opening of files, and asks before a setup is replaced. */
export function OpenFiles({ children }: { children: ReactNode }) {
  const { flow, actions } = useFlow();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<readonly File[]>([]);
  const replace = useCallback(
    (files: readonly File[], isOneList = false) => {
      const [first, ...others] = files;
      if (!first) return;
      setAsked([]);
      navigate('/');
      actions.change({ waiting: isOneList ? [] : others });
      void actions.choose(isOneList ? { files } : { file: first });
    },
    [actions, navigate],
  );
  const hasSetup = flow.name !== null && flow.error === null;
  const open = useCallback(
    (files: readonly File[]) => (hasSetup || files.length > 1 ? setAsked(files) : replace(files)),
    [hasSetup, replace],
  );
  return (
    <OpenFilesContext value={open}>
      {children}
      {asked.length > 0 && (
        <OpenQuestion
          files={asked}
          replaced={hasSetup ? flow.name : null}
          onKeep={() => setAsked([])}
          onOpen={(isOneList) => replace(asked, isOneList)}
        />
      )}
    </OpenFilesContext>
  );
}
