/** Imports people and companies from files: where they come from, how old, how far trusted. */
import {
  Button,
  Card,
  CloseButton,
  Group,
  NumberInput,
  Progress,
  SimpleGrid,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportOptions } from '../../../engine/contract/directory.ts';
import { useChange, useLastReport, useTask } from '../../api/live.ts';
import { importFiles } from '../../api/upload.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showBytes, showCount, showShare } from '../../components/numbers.ts';
import { ImportReportView } from './import-report.tsx';

interface Files {
  readonly people: File | null;
  readonly companies: File | null;
}

const noFiles: Files = { people: null, companies: null };

function FilePlace({
  label,
  hint,
  file,
  onFile,
}: {
  label: string;
  hint: string;
  file: File | null;
  onFile: (file: File | null) => void;
}) {
  if (!file) return <DropArea label={label} hint={hint} onFile={onFile} />;
  return (
    <Card mih={84} p="md">
      <Group justify="space-between" wrap="nowrap" my="auto">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} truncate>
            {file.name}
          </Text>
          <Text size="sm" c="dimmed" className="numbers">
            {showBytes(file.size)}
          </Text>
        </div>
        <CloseButton aria-label={`Take ${file.name} away`} onClick={() => onFile(null)} />
      </Group>
    </Card>
  );
}

interface Origin {
  readonly source: string;
  readonly observed: string;
  readonly trust: number;
}

function OriginFields({
  origin,
  onChange,
}: {
  origin: Origin;
  onChange: (origin: Origin) => void;
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
      <TextInput
        label="Source"
        description="Shown beside every value"
        placeholder="the file's name"
        maxLength={120}
        value={origin.source}
        onChange={(event) => onChange({ ...origin, source: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Observed"
        description="Where the file has no day of its own"
        value={origin.observed}
        onChange={(event) => onChange({ ...origin, observed: event.currentTarget.value })}
      />
      <NumberInput
        label="Trust"
        description="0 to 1: which source wins a conflict"
        min={0}
        max={1}
        step={0.1}
        decimalScale={2}
        clampBehavior="strict"
        value={origin.trust}
        onChange={(value) => onChange({ ...origin, trust: Number(value) })}
      />
    </SimpleGrid>
  );
}

function ImportProgress({ sentShare }: { sentShare: number }) {
  const task = useTask('import');
  const sending = sentShare > 0 && sentShare < 1;
  const share = sending ? sentShare : task?.total ? task.done / task.total : null;
  const total = task?.total ? ` of ${showCount(task.total)}` : '';
  const words = sending
    ? `Copying, ${showShare(sentShare)}`
    : task
      ? `${task.label}: ${showCount(task.done)}${total} ${task.unit}`
      : 'Starting';
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4} role="status" className="numbers">
        {words}
      </Text>
      <Progress value={(share ?? 1) * 100} animated={share === null} aria-label={words} />
    </div>
  );
}

const optionsOf = ({ source, observed, trust }: Origin): ImportOptions => ({
  ...(source.trim() ? { source: source.trim() } : {}),
  ...(observed ? { observed } : {}),
  trust,
});

/** The import form with its progress and its last report. */
export function ImportForm() {
  const client = useQueryClient();
  const [files, setFiles] = useState<Files>(noFiles);
  const [origin, setOrigin] = useState<Origin>({ source: '', observed: '', trust: 0.8 });
  const [sentShare, setSentShare] = useState(0);
  const task = useTask('import');
  const report = useLastReport();
  const start = useChange(
    () => importFiles({ ...files, options: optionsOf(origin) }, setSentShare),
    [],
  );
  const begin = () => {
    setSentShare(0);
    client.setQueryData(['import-report'], null);
    start.mutate(undefined, { onSuccess: () => setFiles(noFiles) });
  };
  const busy = start.isPending || Boolean(task) || (start.isSuccess && !report);
  return (
    <Card component="section" aria-labelledby="import-title">
      <Title order={2} id="import-title">
        Import
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        CSV with one row per person or per job held, and CSV with one row per company. Columns are
        recognised by their names; importing again updates.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" mb="md">
        <FilePlace
          label="People"
          hint="Names, employers, emails, profile URLs …"
          file={files.people}
          onFile={(people) => setFiles({ ...files, people })}
        />
        <FilePlace
          label="Companies"
          hint="Names, websites, addresses, phones …"
          file={files.companies}
          onFile={(companies) => setFiles({ ...files, companies })}
        />
      </SimpleGrid>
      <OriginFields origin={origin} onChange={setOrigin} />
      <Group justify="flex-end" mt="md">
        <Button disabled={!files.people && !files.companies} loading={busy} onClick={begin}>
          Import
        </Button>
      </Group>
      {busy && <ImportProgress sentShare={sentShare} />}
      {start.error && <ErrorPanel title="The import did not start" error={start.error} />}
      {!busy && report && <ImportReportView report={report} />}
    </Card>
  );
}
