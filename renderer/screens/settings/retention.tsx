/** After how many days results, logs and copies are deleted, with a preview before it is saved. */

import { Alert, Button, Group, NumberInput, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { retentionDaysMax } from '../../../engine/contract/limits/privacy/retention.ts';
import {
  type EffectiveRetention,
  type Retention as RetentionData,
  type RetentionKind,
  retention,
  retentionKinds,
} from '../../../engine/contract/retention/retention.ts';
import { ask } from '../../api/client.ts';
import { useCall } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import tableClasses from '../../components/table.module.css';
import { showFailure } from '../../components/toast.ts';
import { RetentionPreview } from './retention-preview.tsx';
import {
  describeClockStop,
  describeRun,
  describeSource,
  kindContents,
  showDays,
} from './retention-words.ts';

/** Days by kind that are not saved yet; '' keeps forever. */
type Draft = Partial<Record<RetentionKind, number | ''>>;

function KindRow({
  kind,
  value,
  onChange,
}: {
  kind: EffectiveRetention;
  value: number | '';
  onChange: (days: number | '') => void;
}) {
  const { label } = retentionKinds[kind.kind];
  const most = kind.days_max ?? retentionDaysMax;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {kindContents[kind.kind]}
        </Text>
      </Table.Td>
      <Table.Td>
        <NumberInput
          aria-label={`Days of ${label.toLowerCase()}`}
          description={describeSource(kind) || undefined}
          inputWrapperOrder={['input', 'description']}
          w={190}
          size="xs"
          min={0}
          max={most}
          clampBehavior="blur"
          allowDecimal={false}
          allowNegative={false}
          placeholder={showDays(kind.days_max)}
          disabled={kind.is_fixed}
          value={kind.is_fixed ? (kind.days ?? '') : value}
          onChange={(days) => onChange(days === '' || Number(days) === 0 ? '' : Number(days))}
        />
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed">
          {kind.scope === 'folder' ? 'all accounts' : 'this account'}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function RunLine({ run, clock_stop: clockStop }: RetentionData) {
  const start = useCall(retention.run, ['retention']);
  const isRunning = run.state !== 'idle';
  const button = (
    <Button
      variant="default"
      size="compact-sm"
      loading={clockStop === null && (isRunning || start.isPending)}
      onClick={() =>
        start.mutate(
          { confirm_clock: clockStop !== null },
          { onError: (error) => showFailure('The run was not started', error) },
        )
      }
    >
      {clockStop === null ? 'Run now' : 'The date is right: delete'}
    </Button>
  );
  if (clockStop)
    return (
      <Alert color="yellow" title="Nothing is deleted until you confirm the date">
        <Text size="sm" mb="xs">
          {describeClockStop(clockStop)}
        </Text>
        {button}
      </Alert>
    );
  return (
    <Group gap="md" justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {describeRun(run)}
      </Text>
      {button}
    </Group>
  );
}

function RetentionForm({ data }: { data: RetentionData }) {
  const [draft, setDraft] = useState<Draft>({});
  const changes = data.kinds.flatMap(({ kind, setting }) => {
    const days = draft[kind];
    return days === undefined || days === (setting ?? '') ? [] : [[kind, days || null] as const];
  });
  return (
    <Stack gap="md">
      <Table.ScrollContainer minWidth={420}>
        <Table className={tableClasses.table} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th>Days</Table.Th>
              <Table.Th>For</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.kinds.map((kind) => (
              <KindRow
                key={kind.kind}
                kind={kind}
                value={draft[kind.kind] ?? kind.setting ?? ''}
                onChange={(days) => setDraft((before) => ({ ...before, [kind.kind]: days }))}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <RetentionPreview days={Object.fromEntries(changes)} onSaved={() => setDraft({})} />
      <RunLine {...data} />
    </Stack>
  );
}

export function Retention() {
  const { data, error, refetch } = useQuery({
    queryKey: ['retention'],
    queryFn: () => ask(retention.read),
  });
  if (error && !data)
    return <ErrorPanel title="Retention could not be loaded" error={error} onRetry={refetch} />;
  return data ? <RetentionForm data={data} /> : <Skeleton height={320} />;
}
