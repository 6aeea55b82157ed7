/** Whether the hash chain of the audit log is intact, and the anchor that proves it later. */

import { Alert, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { audit } from '../../../engine/contract/audit/audit.ts';
import { ask } from '../../api/client.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showCount } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import classes from '../../components/table.module.css';

function Anchor({ head }: { head: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code className={classes.anchor}>{head}</Code>
      <CopyButton value={head} label="Copy the anchor" />
    </Group>
  );
}

/** Checks the chain when the screen opens, and again on request. */
export function ChainState() {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['audit-state'],
    queryFn: () => ask(audit.verify),
    staleTime: 0,
  });
  const check = (
    <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
      Check again
    </Button>
  );
  return (
    <Section
      title="Hash chain"
      sentence="Each entry has a hash of itself and the entry before it. A change breaks the chain."
      action={check}
    >
      <Stack gap="sm">
        <ErrorPanel title="The chain could not be checked" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={60} />}
        {data?.fault && (
          <Alert
            color="red"
            icon={<IconAlertTriangle aria-hidden />}
            title={`Entry ${data.fault.entry} does not match`}
          >
            {data.fault.what}. Entries before it: {showCount(data.entries)}, all intact. Compare the
            log with an earlier export or backup.
          </Alert>
        )}
        {data && !data.fault && (
          <Group gap="xs">
            <IconLink size={18} aria-hidden />
            <Text size="sm">
              {data.entries === 1
                ? 'The only entry is intact.'
                : `All ${countOf(data.entries, 'entry', 'entries')} are intact.`}
            </Text>
          </Group>
        )}
        {data?.head && !data.fault && (
          <Stack gap={4}>
            <Anchor head={data.head} />
            <Text size="sm" c="dimmed">
              Someone who can write every file of the data folder can write a new log. Keep this
              anchor elsewhere: desk audit verify --anchor checks that the log still has it.
            </Text>
          </Stack>
        )}
      </Stack>
    </Section>
  );
}
