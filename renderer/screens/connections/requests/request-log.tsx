// The latest requests from programs, updated live.
import { Code, Skeleton, Stack, Switch, Table, Text } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useState } from 'react';
import type { EnvironmentName } from '../../../../engine/contract/ids.ts';
import { type LoggedRequest, requestLog } from '../../../../engine/contract/requests/requests.ts';
import { useAnswer } from '../../../api/live.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { showCount } from '../../../components/numbers.ts';
import { Section } from '../../../components/section.tsx';
import tableClasses from '../../../components/table.module.css';
import { TableCard } from '../../../components/table-card.tsx';
import { Note } from '../../../components/text.tsx';
import { inLocale } from '../../../preferences/locale.ts';
import classes from '../connections.module.css';

const refreshIntervalMs = 2_000;
const shownMax = 100;

const callers: Readonly<Record<LoggedRequest['caller'], string>> = {
  key: 'Unnamed key',
  app: 'This app',
  command_line: 'Command line',
  none: 'Not admitted',
};

/** 12.34 → "12 ms", 1234 → "1.2 s". */
const showMs = (ms: number): string =>
  ms < 1_000
    ? `${showCount(ms < 10 ? ms : Math.round(ms))} ms`
    : `${inLocale().decimal(ms / 1_000)} s`;

function RequestRow({ item }: { item: LoggedRequest }) {
  const isRefused = item.status >= 400;
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.steady}>
        <time dateTime={item.at}>{inLocale().clock(new Date(item.at))}</time>
      </Table.Td>
      <Table.Td>
        <Code fz="xs">{item.method}</Code>
      </Table.Td>
      <Table.Td className={tableClasses.anchor}>
        {item.route ? (
          <Text size="xs" ff="monospace">
            {item.route}
          </Text>
        ) : (
          <Note>Unknown address</Note>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={550} c={isRefused ? 'var(--desk-failed)' : 'var(--desk-enriched)'}>
          {item.status}
        </Text>
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showMs(item.duration_ms)}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <div className={classes.label}>{item.key_label || callers[item.caller]}</div>
      </Table.Td>
    </Table.Tr>
  );
}

export function RequestLog({ environment }: { environment: EnvironmentName }) {
  const [isLive, setIsLive] = useState(true);
  const { data, error, refetch } = useAnswer(['requests', environment], requestLog.list, {
    input: { limit: shownMax },
    environment,
    refetchInterval: isLive && refreshIntervalMs,
  });
  return (
    <Section
      title="Requests"
      sentence={
        'The latest requests from programs to this account. They are kept in memory until the ' +
        'engine stops, without ids, queries or contents.'
      }
      action={
        <Switch
          label="Live"
          checked={isLive}
          onChange={(event) => setIsLive(event.currentTarget.checked)}
        />
      }
    >
      <Stack gap="lg">
        <ErrorPanel title="The requests could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={160} />}
        {data?.requests.length === 0 && (
          <EmptyState
            Icon={IconActivity}
            title="No requests yet"
            sentence="Each request from a program appears here within two seconds."
          />
        )}
        {data && data.requests.length > 0 && (
          <TableCard
            label="Program requests"
            columns={['Time', 'Method', 'Address', 'Status', '>Duration', 'Key']}
            widthMinPx={720}
          >
            {data.requests.map((item) => (
              <RequestRow key={item.id} item={item} />
            ))}
          </TableCard>
        )}
      </Stack>
    </Section>
  );
}
