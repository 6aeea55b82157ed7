/** The head and width of every screen: title, one sentence, the one primary action at the right. */
import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page.module.css';

/** What every screen has. */
export interface PageProps {
  readonly title: ReactNode;
  readonly sentence?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
  /** Grids take the full width and the height that is left. */
  readonly full?: boolean;
}

/** A screen. */
export function Page({ title, sentence, action, children, full = false }: PageProps) {
  return (
    <div className={full ? classes.full : classes.page}>
      <Group justify="space-between" align="flex-start" gap="lg" wrap="wrap">
        <div className={classes.head}>
          <Title order={1} className={classes.title}>
            {title}
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
