// A part of a screen with its own heading, one sentence and an optional action.
import { Card, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Note } from './text.tsx';

interface SectionProps {
  title: string;
  sentence: string;
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, sentence, action, children }: SectionProps) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" gap="lg" mb="md">
        <div style={{ flex: '1 1 320px', minWidth: 0 }}>
          <Title order={2} id={id}>
            {title}
          </Title>
          <Note>{sentence}</Note>
        </div>
        {action}
      </Group>
      {children}
    </Card>
  );
}
