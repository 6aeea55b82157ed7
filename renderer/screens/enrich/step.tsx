/** One numbered step of the flow. Every step stays visible and can be changed. */
import { Button, Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './enrich.module.css';

const storageKey = 'desk-folded-steps';

const readFolded = (): readonly string[] => (localStorage.getItem(storageKey) ?? '').split(',');

/** Whether the user keeps a step folded; the browser remembers it for the next list. */
function useFolded(title: string): [boolean, (isFolded: boolean) => void] {
  const [isFolded, setFolded] = useState(() => readFolded().includes(title));
  const fold = (next: boolean) => {
    const others = readFolded().filter((one) => one !== title && one !== '');
    localStorage.setItem(storageKey, [...others, ...(next ? [title] : [])].join());
    setFolded(next);
  };
  return [isFolded, fold];
}

/**
 * A step: number, name, one line of facts, an action at the right, and its content. A settled step
 * can be folded to its first line; it unfolds while it is not settled.
 */
export function Step({
  number,
  title,
  facts,
  action,
  isSettled = false,
  children,
}: {
  number: number;
  title: string;
  facts?: ReactNode;
  action?: ReactNode;
  /** Whether nothing in the step waits for a decision, so that it can be folded. */
  isSettled?: boolean;
  children?: ReactNode;
}) {
  const titleId = useId();
  const contentId = useId();
  const [wantsFolded, fold] = useFolded(title);
  const isFolded = isSettled && wantsFolded;
  return (
    <Card component="section" aria-labelledby={titleId} className={classes.step}>
      <Group gap="md" wrap="nowrap" align="flex-start">
        <span className={classes.number} aria-hidden>
          {number}
        </span>
        <Title order={2} id={titleId} className={classes.stepTitle}>
          {title}
        </Title>
        <div className={classes.facts}>{facts}</div>
        {!isFolded && action}
        {isSettled && (
          <Button
            size="xs"
            variant="default"
            aria-expanded={!isFolded}
            aria-controls={contentId}
            aria-label={`${isFolded ? 'Change' : 'Fold'} ${title.toLowerCase()}`}
            onClick={() => fold(!isFolded)}
          >
            {isFolded ? 'Change' : 'Fold'}
          </Button>
        )}
      </Group>
      {children && (
        // A folded step keeps its state.
        <div id={contentId} className={classes.content} data-folded={isFolded || undefined}>
          {children}
        </div>
      )}
    </Card>
  );
}
