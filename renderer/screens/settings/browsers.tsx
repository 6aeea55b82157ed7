/** The browsers that may use the app, each of which can be closed. */

import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type BrowserSession, sessions } from '../../../engine/contract/sessions.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showTime } from '../../components/numbers.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';

function BrowserLine({ session }: { session: BrowserSession }) {
  const close = useChange((id: string) => ask(sessions.close, { id }), ['sessions']);
  const { browser, opened_at, last_used_at, is_current } = session;
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text fw={550}>{browser}</Text>
        <Text size="xs" c="dimmed">
          opened {showTime(opened_at)}, last used {showTime(last_used_at)}
        </Text>
      </div>
      <Group gap="sm" wrap="nowrap">
        {is_current && (
          <Badge variant="default" tt="none" flex="none">
            this browser
          </Badge>
        )}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Close ${browser}, opened ${showTime(opened_at)}`}
          loading={close.isPending}
          onClick={() =>
            close.mutate(session.id, {
              onSuccess: () => showSuccess('The browser was closed.'),
              onError: (error) => showFailure('The browser was not closed', error),
            })
          }
        >
          Close
        </Button>
      </Group>
    </Group>
  );
}

export function Browsers() {
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => ask(sessions.list),
  });
  if (error)
    return <ErrorPanel title="The browsers could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={40} />;
  if (data.length === 0)
    return (
      <Text size="sm">
        None. The command “desk open” prints a link that opens the app in a browser.
      </Text>
    );
  return (
    <Stack gap="md">
      {data.map((session) => (
        <BrowserLine key={session.id} session={session} />
      ))}
    </Stack>
  );
}
