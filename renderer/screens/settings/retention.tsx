// After how many days results, logs and copies are deleted, with a preview before it is saved.
import {
  Alert,
  Button,
  Group,
  Modal,
  NumberInput,
  Skeleton,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { retentionDaysMax } from '../../../engine/contract/limits/privacy/retention.ts';
import {
  type EffectiveRetention,
  type RetentionChange,
  type Retention as RetentionData,
  type RetentionKind,
  type RetentionPreview as RetentionPreviewData,
  retention,
  retentionKinds,
} from '../../../engine/contract/retention/retention.ts';
import { useAnswer, useCall } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { Caption, Note } from '../../components/text.tsx';
import { showSuccess } from '../../components/toast.ts';
import {
  describeClockStop,
  describeDue,
  describeKept,
  describeRun,
  describeSource,
  kindContents,
  showDays,
} from './retention-words.ts';

type Days = RetentionChange['days'];

function PreviewTable({ kinds }: RetentionPreviewData) {
  const shown = kinds.filter(({ days }) => days !== null);
  if (shown.length === 0) return <Text size="sm">Everything is kept until you delete it.</Text>;
  return (
    <Table className={tableClasses.table} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th>Kept</Table.Th>
          <Table.Th>Deleted now</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map((due) => (
          <Table.Tr key={due.kind}>
            <Table.Td>{retentionKinds[due.kind].label}</Table.Td>
            <Table.Td>{showDays(due.days)}</Table.Td>
            <Table.Td>
              {describeDue(due)}
              {due.kept.length > 0 && <Caption>{describeKept(due)}</Caption>}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Deleting is irreversible, so its consequence is said before it. */
const consequence =
  'Deleted results cannot be shown, exported or reviewed again. Credits, the ledger and its ' +
  'history stay. Copies that you exported are not touched.';

function Content({ days, onClose }: { days: Days; onClose: (isSaved: boolean) => void }) {
  const { data, error, refetch } = useAnswer(['retention-preview', days], retention.preview, {
    input: { days },
    // What it named may be gone when it is opened again.
    gcTime: 0,
  });
  const save = useCall(retention.change, ['retention', 'jobs']);
  if (error) return <ErrorPanel title="There is no preview" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={160} />;
  const count = data.kinds.reduce((sum, { items }) => sum + items, 0);
  const isChange = Object.keys(days).length > 0;
  const submit = () =>
    save.mutate(
      { days },
      {
        onSuccess() {
          showSuccess('The days are saved.');
          onClose(true);
        },
      },
    );
  return (
    <Stack gap="md">
      <PreviewTable kinds={data.kinds} />
      {count > 0 && (
        <Alert color="red" title={`${countOf(count, 'item')} would be deleted now`}>
          {consequence}
        </Alert>
      )}
      <ErrorPanel title="The days were not saved" error={save.error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={() => onClose(false)} data-autofocus>
          {isChange ? 'Cancel' : 'Close'}
        </Button>
        {isChange && (
          <Button
            variant="filled"
            loading={save.isPending}
            onClick={submit}
            {...(count > 0 && { color: 'red.9' })}
          >
            {count > 0 ? 'Save and delete' : 'Save these days'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** The button of the preview. `days` are those that differ from the saved ones. */
function RetentionPreview({ days, onSaved }: { days: Days; onSaved: () => void }) {
  const [opened, { open, close }] = useDisclosure(false);
  const isChange = Object.keys(days).length > 0;
  return (
    <>
      <Group justify="flex-end">
        <Button variant={isChange ? 'filled' : 'default'} onClick={open}>
          {isChange ? 'Preview and save…' : 'Preview…'}
        </Button>
      </Group>
      <Modal opened={opened} onClose={close} size="lg" title="What would be deleted">
        <Content
          days={days}
          onClose={(isSaved) => {
            close();
            if (isSaved) onSaved();
          }}
        />
      </Modal>
    </>
  );
}

/** Days by kind that are not saved yet; '' keeps forever. */
type Draft = Partial<Record<RetentionKind, number | ''>>;

interface KindRowProps {
  kind: EffectiveRetention;
  value: number | '';
  onChange: (days: number | '') => void;
}

function KindRow({ kind, value, onChange }: KindRowProps) {
  const { label } = retentionKinds[kind.kind];
  const most = kind.days_max ?? retentionDaysMax;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Caption>{kindContents[kind.kind]}</Caption>
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
        <Note>{kind.scope === 'folder' ? 'all accounts' : 'this account'}</Note>
      </Table.Td>
    </Table.Tr>
  );
}

function RunLine({ run, clock_stop: clockStop }: RetentionData) {
  const start = useCall(retention.run, ['retention'], { failed: 'The run was not started' });
  const isRunning = run.state !== 'idle';
  const button = (
    <Button
      size="compact-sm"
      loading={clockStop === null && (isRunning || start.isPending)}
      onClick={() => start.mutate({ confirm_clock: clockStop !== null })}
    >
      {clockStop === null ? 'Delete now' : 'The date is right: delete'}
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
      <Note role="status">{describeRun(run)}</Note>
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
  const { data, error, refetch } = useAnswer(['retention'], retention.read);
  if (error && !data)
    return <ErrorPanel title="Retention could not be loaded" error={error} onRetry={refetch} />;
  return data ? <RetentionForm data={data} /> : <Skeleton height={320} />;
}
