/** Opens files that were dropped or pasted: at once, or after a question if a setup exists. */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useCallback,
  useMemo,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { lazyPart, useLazyPart } from '../../lazy-part.tsx';
import { useFlow } from './flow.tsx';
import type { ReplaceQuestion as Question } from './replace-question.tsx';

const question = lazyPart(() =>
  import('./replace-question.tsx').then((file) => file.ReplaceQuestion),
);

/** Loads the question when it is first asked. */
function ReplaceQuestion(props: ComponentProps<typeof Question>) {
  const { Component } = useLazyPart(question);
  return Component ? <Component {...props} /> : null;
}

const OpenFilesContext = createContext<((files: readonly File[]) => void) | null>(null);

/** Opens files on the Enrich screen: the first now, the others one after the other. */
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
    ([first, ...others]: readonly File[]) => {
      if (!first) return;
      setAsked([]);
      navigate('/');
      actions.change({ waiting: others });
      void actions.choose({ file: first });
    },
    [actions, navigate],
  );
  const hasSetup = flow.name !== null && flow.error === null;
  const open = useMemo(() => (hasSetup ? setAsked : replace), [hasSetup, replace]);
  const [first, ...others] = asked;
  return (
    <OpenFilesContext value={open}>
      {children}
      {first && flow.name !== null && (
        <ReplaceQuestion
          name={first.name}
          replaced={flow.name}
          others={others.length}
          onKeep={() => setAsked([])}
          onOpen={() => replace(asked)}
        />
      )}
    </OpenFilesContext>
  );
}
