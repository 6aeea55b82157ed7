// The suppression list: who and what must never be matched, shown, exported or sent.
import {
  Alert,
  Button,
  Group,
  List,
  Select,
  Skeleton,
  Stack,
  Table,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconShieldOff } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type SuppressionEntry,
  type SuppressionKind,
  type SuppressionReport,
  suppression,
  suppressionKinds,
  suppressionReading,
} from '../../../engine/contract/suppression/suppression.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useCall, useChange } from '../../api/live.ts';
import { type ReadingChoice, uploadSpreadsheet } from '../../api/upload.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DropArea } from '../../components/drop-area.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { FirstRows, FirstRowsComing } from '../../components/first-rows.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { showCount, showTime } from '../../components/numbers.ts';
import { ReadingQuestions } from '../../components/reading-questions.tsx';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { showSuccess } from '../../components/toast.ts';
import { DirectoryPage } from '../directory/directory-page.tsx';
import { useReadList } from '../directory/imports/chosen-lists.ts';
import { describeReport, kindLabels, sourceLabels } from './suppression-words.ts';

const recognised = 'recognise';

/** The number of added, known and unreadable values, and what is wrong with the latter. */
function Report({ report, what }: { report: SuppressionReport; what: string }) {
  return (
    <Alert
      color={report.unreadable > 0 ? 'yellow' : 'teal'}
      role="status"
      title={describeReport(report)}
    >
      <List size="sm">
        {report.remarks.map(({ line, what: detail }) => (
          <List.Item key={`${line} ${detail}`}>
            {what} {line}: {detail}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function TypedValues({ reason }: { reason: string }) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<string>(recognised);
  const add = useCall(suppression.add, ['suppression']);
  const values = text.split('\n').flatMap((line) => line.trim() || []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = kind === recognised ? {} : { kind: kind as SuppressionKind };
    const given = values.map((value) => ({ value, ...chosen }));
    add.mutate(
      { values: given, reason },
      { onSuccess: ({ unreadable }) => unreadable === 0 && setText('') },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-start" gap="md">
          <Textarea
            flex="1 1 320px"
            label="Values, one per line"
            placeholder={'ada@example.com\n*.example.com\n+41 79 123 45 67'}
            autosize
            minRows={3}
            maxRows={10}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Select
            flex="0 1 200px"
            label="Kind"
            data={[
              { value: recognised, label: 'Detect automatically' },
              ...suppressionKinds.map((value) => ({ value, label: kindLabels[value] })),
            ]}
            allowDeselect={false}
            value={kind}
            onChange={(value) => setKind(value ?? recognised)}
          />
        </Group>
        <Group>
          <Button
            variant="filled"
            type="submit"
            disabled={values.length === 0}
            loading={add.isPending}
          >
            Suppress
          </Button>
        </Group>
        <ErrorPanel title="The values were not added" error={add.error} />
        {add.data && <Report report={add.data} what="Value" />}
      </Stack>
    </form>
  );
}

const readFirst: ReadingChoice = { ...suppressionReading, origin: 'none' };

/** Imports a file after the questions about its reading. */
function ImportedFile({ reason }: { reason: string }) {
  const [file, setFile] = useState<File | null>(null);
  const [reading, setReading] = useState<ReadingChoice>(readFirst);
  const shown = useReadList({ file, reading });
  const { data: upload } = shown;
  const imported = useChange(
    async (chosen: File) => {
      const choice: ReadingChoice = { ...reading, origin: suppressionReading.origin };
      const { signal } = new AbortController();
      const kept = await uploadSpreadsheet({ file: chosen }, () => undefined, signal, choice);
      return ask(suppression.importList, { upload_id: kept.upload_id, reason });
    },
    ['suppression'],
  );
  const choose = (chosen: File) => {
    setFile(chosen);
    setReading(readFirst);
    imported.reset();
  };
  return (
    <Stack gap="sm">
      <DropArea
        label="Import a list"
        hint={
          'Any file with columns such as email, domain, phone, profile URL and company, or one ' +
          'value per line.'
        }
        disabled={imported.isPending}
        onFile={choose}
      />
      {file && shown.error && <ErrorPanel title="The file cannot be read" error={shown.error} />}
      {file && !shown.error && !upload && <FirstRowsComing />}
      {file && upload && (
        <>
          <ReadingQuestions
            upload={upload}
            isAsked={false}
            busy={shown.isPlaceholderData}
            areNamesUnknown={Object.keys(upload.mapping).length === 0}
            leftOutNote=""
            onRead={(choice) => setReading({ ...reading, ...choice })}
            onLeaveOut={() => setReading({ ...reading, extra_cells: 'leave_out' })}
          />
          <FirstRows
            label={`First rows of ${file.name}`}
            labels={upload.labels}
            rows={upload.first_rows}
          />
          <Group>
            <Button
              variant="filled"
              disabled={shown.isPlaceholderData}
              loading={imported.isPending}
              onClick={() => imported.mutate(file, { onSuccess: () => setFile(null) })}
            >
              Import {file.name}
            </Button>
          </Group>
        </>
      )}
      <ErrorPanel title="The file was not imported" error={imported.error} />
      {imported.data && <Report report={imported.data} what="Line" />}
    </Stack>
  );
}

function AddValues() {
  const [reason, setReason] = useState('');
  return (
    <Section
      title="Add"
      sentence={
        'A domain covers its subdomains. Choose the kind for companies. ' +
        'Changes apply at once, including to running jobs and stored results.'
      }
    >
      <Stack gap="md">
        <TextInput
          label="Reason"
          placeholder="For example, the date of the request"
          maw={520}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TypedValues reason={reason} />
        <ImportedFile reason={reason} />
      </Stack>
    </Section>
  );
}

const pageEntries = 50;
const typingPauseMs = 200;

/** Removes all entries that refusals of data services in a job made. */
function RemoveOfJob({ job }: { job: string }) {
  const remove = useCall(suppression.remove, ['suppression'], {
    failed: 'The entries were not removed',
  });
  const confirm = () =>
    remove.mutate(
      { job_id: job },
      {
        onSuccess: ({ removed }) =>
          showSuccess(`${showCount(removed)} entries of the job were removed.`),
      },
    );
  return (
    <ConfirmButton
      size="compact-sm"
      title="Remove the entries of the job"
      sentence={
        'All entries that refusals of data services in this job made are removed. The people are ' +
        'then matched, shown, exported and sent again.'
      }
      act="Remove all"
      loading={remove.isPending}
      onConfirm={confirm}
    >
      Remove all from its job
    </ConfirmButton>
  );
}

function EntryRow({ entry }: { entry: SuppressionEntry }) {
  const remove = useCall(suppression.remove, ['suppression'], {
    failed: 'The entry was not removed',
  });
  const confirm = () =>
    remove.mutate(
      { ids: [entry.id] },
      {
        onSuccess: () => showSuccess(`${isolate(entry.value)} is no longer suppressed.`),
      },
    );
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>{entry.value}</Table.Td>
      <Table.Td>{kindLabels[entry.kind]}</Table.Td>
      <Table.Td className={tableClasses.name}>{entry.reason || '–'}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <div>{entry.author}</div>
        <Caption>from {sourceLabels[entry.source]}</Caption>
      </Table.Td>
      <Table.Td className={tableClasses.steady}>{showTime(entry.added_at)}</Table.Td>
      <Table.Td ta="right">
        {entry.job_id !== null && <RemoveOfJob job={entry.job_id} />}
        <ConfirmButton
          size="compact-sm"
          title="Remove from the suppression list"
          sentence={`${entry.value} is then matched, shown, exported and sent again.`}
          act="Remove"
          loading={remove.isPending}
          aria-label={`Remove ${entry.value}`}
          onConfirm={confirm}
        >
          Remove
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  );
}

interface EntryFilters {
  readonly search: string;
  readonly kind: SuppressionKind | null;
}

interface FiltersProps {
  filters: EntryFilters;
  onChange: (filters: EntryFilters) => void;
}

function Filters({ filters, onChange }: FiltersProps) {
  return (
    <Group gap="md">
      <TextInput
        flex="1 1 240px"
        label="Search"
        placeholder="Value, reason or author"
        value={filters.search}
        onChange={(event) => onChange({ ...filters, search: event.currentTarget.value })}
      />
      <Select
        flex="0 1 200px"
        label="Filter by kind"
        placeholder="All kinds"
        clearable
        data={suppressionKinds.map((value) => ({ value, label: kindLabels[value] }))}
        value={filters.kind}
        onChange={(kind) => onChange({ ...filters, kind: kind as SuppressionKind | null })}
      />
    </Group>
  );
}

function Entries() {
  const [filters, setFilters] = useState<EntryFilters>({ search: '', kind: null });
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const { kind } = filters;
  const [search] = useDebouncedValue(filters.search.trim(), typingPauseMs);
  const before = befores.at(-1) ?? null;
  const { data, error, refetch } = useAnswer(
    ['suppression', search, kind, before],
    suppression.list,
    {
      input: {
        search,
        kind: kind ?? undefined,
        before: before ?? undefined,
        limit: pageEntries,
      },
      placeholderData: keepPreviousData,
    },
  );
  const change = (next: EntryFilters) => {
    setFilters(next);
    setBefores([null]);
  };
  if (data?.total === 0)
    return (
      <EmptyState
        Icon={IconShieldOff}
        title="Nothing is suppressed"
        sentence={
          'Add people, emails, domains, companies, phones or profile URLs that must never be ' +
          'matched, shown, exported, monitored or sent to a data service.'
        }
      />
    );
  return (
    <Section
      title={data ? `${showCount(data.total)} in the list` : 'The list'}
      sentence="Applies to every account and to staging. Newest first."
    >
      <Stack gap="md">
        <Filters filters={filters} onChange={change} />
        <ErrorPanel title="The list could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={120} />}
        {data?.entries.length === 0 && <Note>No entry matches.</Note>}
        {data && data.entries.length > 0 && (
          <TableCard
            label="Suppressed values"
            columns={['Value', 'Kind', 'Reason', 'Added by', 'Time', '>Action']}
            widthMinPx={860}
          >
            {data.entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </TableCard>
        )}
        <NewerOlder befores={befores} next={data?.next ?? null} onChange={setBefores} />
      </Stack>
    </Section>
  );
}

export function SuppressionScreen() {
  return (
    <DirectoryPage
      part="suppressed"
      sentence="Entries are never matched, shown, exported, monitored or sent."
    >
      <Entries />
      <AddValues />
    </DirectoryPage>
  );
}
