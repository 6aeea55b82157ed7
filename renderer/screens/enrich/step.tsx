/** One numbered step of the flow. Every step stays visible and can be changed. */
import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './enrich.module.css';

/** A step: number, name, one line of facts, an action at the right, and its content. */
export function Step({
  number,
  title,
  facts,
  action,
  children,
}: {
  number: number;
  title: string;
  facts?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const titleId = useId();
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
        {action}
      </Group>
      {children && <div className={classes.content}>{children}</div>}
    </Card>
  );
}
