// An error with what happened and what to do next.
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { describeError } from '../api/client.ts';

interface ErrorPanelProps {
  title: string;
  error: unknown;
  onRetry?: () => unknown;
  children?: ReactNode;
}

/** Shows an error, if any, with a way out: `onRetry` if it can be repeated, or children. */
export function ErrorPanel({ title, error, onRetry, children }: ErrorPanelProps) {
  if (!error) return null;
  return (
    <Alert
      color="red"
      variant="light"
      title={title}
      icon={<IconAlertTriangle size={18} />}
      role="alert"
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {describeError(error)}
      </Text>
      {(onRetry || children) && (
        <Group mt="md" gap="sm">
          {onRetry && (
            <Button size="xs" onClick={() => void onRetry()}>
              Try again
            </Button>
          )}
          {children}
        </Group>
      )}
    </Alert>
  );
}
