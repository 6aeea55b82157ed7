// An empty screen: the reason, and the one action that fills it.
import { Box, Card, Stack, Text, Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  Icon: TablerIcon;
  title: string;
  sentence: string;
  action?: ReactNode;
}

export function EmptyState({ Icon, title, sentence, action }: EmptyStateProps) {
  return (
    <Card py={48}>
      <Stack align="center" gap="sm" ta="center">
        <Icon size={32} stroke={1.4} aria-hidden color="var(--desk-accent)" />
        <Title order={2}>{title}</Title>
        <Text c="dimmed" maw={460} style={{ textWrap: 'balance' }}>
          {sentence}
        </Text>
        {action && <Box mt="sm">{action}</Box>}
      </Stack>
    </Card>
  );
}
