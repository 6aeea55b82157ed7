// Opens dropped or pasted files: at once, or after a question about a setup or several files.
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useCallback,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import type { ChosenFile } from '../../../main/desktop-contract.ts';
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

/** Files of the page, or one that the desktop shell was asked to open. */
type Opened = readonly File[] | ChosenFile;

const OpenFilesContext = createContext<((opened: Opened) => void) | null>(null);

/** Opens files on the Enrich screen: one at once, several as one list or one after the other. */
export function useOpenFiles(): (opened: Opened) => void {
  const open = use(OpenFilesContext);
  if (!open) throw new Error('useOpenFiles is used outside OpenFiles');
  return open;
}

/** Provides the opening of files, and asks before a setup is replaced. */
export function OpenFiles({ children }: { children: ReactNode }) {
  const { flow, actions } = useFlow();
  const [, navigate] = useLocation();
  // What is opened while a question waits is asked about after it.
  const [asked, setAsked] = useState<readonly Opened[]>([]);
  const { waiting } = flow;
  const replace = useCallback(
    (opened: Opened, isOneList = false) => {
      const files = 'path' in opened ? [] : opened;
      const [file, ...others] = files;
      navigate('/');
      if (!isOneList) actions.change({ waiting: [...others, ...waiting] });
      if ('path' in opened) void actions.choose(opened);
      else if (file) void actions.choose(isOneList ? { files } : { file });
    },
    [actions, navigate, waiting],
  );
  const hasSetup = flow.name !== null && flow.error === null;
  const open = useCallback(
    (opened: Opened) => {
      const isAsked = hasSetup || (!('path' in opened) && opened.length > 1);
      if (isAsked) setAsked((before) => [...before, opened]);
      else replace(opened);
    },
    [hasSetup, replace],
  );
  const [first, ...others] = asked;
  return (
    <OpenFilesContext value={open}>
      {children}
      {first && (
        <OpenQuestion
          files={'path' in first ? [first] : first}
          replaced={hasSetup ? flow : null}
          onKeep={() => setAsked(others)}
          onOpen={(isOneList) => {
            setAsked(others);
            replace(first, isOneList);
          }}
        />
      )}
    </OpenFilesContext>
  );
}
