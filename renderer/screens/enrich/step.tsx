// One numbered step of the flow. Every step stays visible and can be changed.
import { Button, Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './enrich.module.css';

const storageKey = 'desk-folded-steps';

const readFolded = (): readonly string[] => (localStorage.getItem(storageKey) ?? '').split(',');

/** Whether the user keeps a step folded; the browser remembers it for the next list. */
function useKeptFold(title: string): [boolean, (isFolded: boolean) => void] {
  const [isFolded, setFolded] = useState(() => readFolded().includes(title));
  const fold = (next: boolean) => {
    const others = readFolded().filter((one) => one !== title && one !== '');
    localStorage.setItem(storageKey, [...others, ...(next ? [title] : [])].join());
    setFolded(next);
  };
  return [isFolded, fold];
}

export interface SelfFolding {
  /** What the step is about, such as an upload; null as long as that is not known. */
  readonly subject: string | null;
  /** Whether the subject leaves nothing to look at. It is read once for each subject. */
  readonly isPlain: boolean;
}

/**
 * Whether a step is folded that folds by itself: as soon as its subject is known and plain, which
 * is when the steps below appear, so that nothing moves that is in use. A click decides otherwise
 * until there is another subject.
 */
function useSelfFold({ subject, isPlain }: SelfFolding): [boolean, (isFolded: boolean) => void] {
  const [state, setState] = useState({ subject, isFolded: subject !== null && isPlain });
  if (state.subject !== subject) setState({ subject, isFolded: subject !== null && isPlain });
  return [state.isFolded, (isFolded) => setState({ subject, isFolded })];
}

/**
 * A step: number, name, one line of facts, an action at the right, and its content. A settled step
 * can be folded to its first line and what is `lasting`; it unfolds while it is not settled.
 */
export function Step({
  number,
  title,
  facts,
  action,
  isSettled = false,
  selfFolding,
  unfold = 'Change',
  lasting,
  children,
}: {
  /** Of the steps of a page; a step at the side of a grid has none. */
  number?: number;
  title: string;
  facts?: ReactNode;
  action?: ReactNode;
  /** Whether nothing in the step waits for a decision, so that it can be folded. */
  isSettled?: boolean;
  /** Folds a settled step without a click. */
  selfFolding?: SelfFolding;
  /** The word on the button of a folded step. With another one, the action stays. */
  unfold?: 'Change' | 'Show';
  /** Follows the content, and stays while it is folded. */
  lasting?: ReactNode;
  children?: ReactNode;
}) {
  const titleId = useId();
  const contentId = useId();
  const kept = useKeptFold(title);
  const own = useSelfFold(selfFolding ?? { subject: null, isPlain: false });
  const [wantsFolded, fold] = selfFolding ? own : kept;
  const isFolded = isSettled && wantsFolded;
  return (
    <Card component="section" aria-labelledby={titleId} className={classes.step}>
      <Group gap="md" wrap="nowrap" align="flex-start" className={classes.stepHead}>
        {number !== undefined && (
          <span className={classes.number} aria-hidden>
            {number}
          </span>
        )}
        <Title order={2} id={titleId} className={classes.stepTitle}>
          {title}
        </Title>
        <div className={classes.facts}>{facts}</div>
        {(!isFolded || unfold === 'Show') && action}
        {isSettled && (
          <Button
            size="xs"
            aria-expanded={!isFolded}
            aria-controls={contentId}
            aria-label={`${isFolded ? unfold : 'Collapse'} ${title.toLowerCase()}`}
            onClick={() => fold(!isFolded)}
          >
            {isFolded ? unfold : 'Collapse'}
          </Button>
        )}
      </Group>
      {children && (
        // A folded step keeps its state.
        <div id={contentId} className={classes.content} data-folded={isFolded || undefined}>
          {children}
        </div>
      )}
      {lasting && <div className={classes.lasting}>{lasting}</div>}
    </Card>
  );
}
