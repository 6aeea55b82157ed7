// Layout of every screen: title, one sentence, and the primary action at the right.
import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page.module.css';

export interface PageProps {
  readonly title: ReactNode;
  readonly sentence?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** Uses the full width and the remaining height, for grids. */
  readonly full?: boolean;
}

export function Page({ title, sentence, action, children, full = false }: PageProps) {
  return (
    <div className={full ? classes.full : classes.page}>
      <Group justify="space-between" align="flex-start" gap="lg" wrap="wrap">
        <div className={classes.head}>
          <Title order={1} className={classes.title}>
            {typeof title === 'string' ? <bdi>{title}</bdi> : title}
          </Title>
          {sentence && (
            <Text c="dimmed" component="div">
              {sentence}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </div>
  );
}
