// The audit log: who exported, unlocked, deleted, suppressed or changed what, and when.
import { Alert, Button, Code, Group, Select, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconLink } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AuditAction,
  auditActions,
  nameAction,
} from '../../../engine/contract/audit/actions.ts';
import { type AuditEntry, type AuditPage, audit } from '../../../engine/contract/audit/audit.ts';
import { describeDetails } from '../../../engine/contract/audit/describe-details.ts';
import { useAnswer } from '../../api/live.ts';
import { type AuditFilters, exportAudit, readAudit } from '../../api/privacy/audit.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { DateField } from '../../components/date-field.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { countOf, showCount, showCredits, showTime } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { describeFormat, SaveRows } from '../../components/save/save-dialog.tsx';
import { Section } from '../../components/section.tsx';
import classes from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note, ScreenLink } from '../../components/text.tsx';

function ChainHead({ head }: { head: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code className={classes.anchor}>{head}</Code>
      <CopyButton value={head} label="Copy the anchor" />
    </Group>
  );
}

/** Checks the chain when the screen opens, and again on request. */
function ChainState() {
  const { data, error, refetch, isFetching } = useAnswer(['audit-state'], audit.verify, {
    staleTime: 0,
  });
  const check = (
    <Button loading={isFetching} onClick={() => void refetch()}>
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
            <ChainHead head={data.head} />
            <Note>
              Someone who can write every file of the data folder can write a new log. Keep this
              anchor elsewhere: desk audit verify --anchor checks that the log still has it.
            </Note>
          </Stack>
        )}
      </Stack>
    </Section>
  );
}

const pageEntries = 50;
const noFilters: AuditFilters = { action: null, actor: null, since: '' };
const isFiltered = ({ action, actor, since }: AuditFilters) =>
  action !== null || actor !== null || since !== '';

/** Credits in the text of details, such as 1.0000. */
const writtenCredits = /\b\d+\.\d{4}\b/g;

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { rows, credits, account } = entry;
  // Exports and the command line have the hashes of suppressed values.
  const { hashes: _, ...shown } = entry.details;
  const details = describeDetails(shown).replace(writtenCredits, (credits) => showCredits(credits));
  return (
    <Table.Tr>
      <Table.Td className={classes.steady}>
        <div>{showTime(entry.at)}</div>
        <Caption>Entry {entry.id}</Caption>
      </Table.Td>
      <Table.Td className={classes.name}>
        <div>{entry.actor}</div>
        {entry.key_prefix && (
          <Caption>
            {entry.actor_kind === 'assistant' ? 'assistant, ' : 'key '}
            {entry.key_prefix}…
          </Caption>
        )}
      </Table.Td>
      <Table.Td className={classes.name}>
        <div>{nameAction(entry.action)}</div>
        {account && <Caption>{account}</Caption>}
      </Table.Td>
      <Table.Td className={classes.number}>{rows === null ? '–' : showCount(rows)}</Table.Td>
      <Table.Td className={classes.number}>
        {credits === null ? '–' : showCredits(credits)}
      </Table.Td>
      <Table.Td className={classes.name}>
        <div>{details || '–'}</div>
        {entry.subject && <Caption>{entry.subject}</Caption>}
      </Table.Td>
    </Table.Tr>
  );
}

interface FiltersProps {
  filters: AuditFilters;
  actors: readonly string[];
  onChange: (filters: AuditFilters) => void;
}

function Filters({ filters, actors, onChange }: FiltersProps) {
  return (
    <Group gap="md" align="flex-start">
      <Select
        flex="1 1 220px"
        label="Action"
        placeholder="All actions"
        clearable
        searchable
        data={Object.entries(auditActions).map(([value, label]) => ({ value, label }))}
        value={filters.action}
        onChange={(action) => onChange({ ...filters, action: action as AuditAction | null })}
      />
      <Select
        flex="1 1 200px"
        label="Actor"
        placeholder="Everyone"
        clearable
        searchable
        data={[...actors]}
        value={filters.actor}
        onChange={(actor) => onChange({ ...filters, actor })}
      />
      <DateField
        flex="0 1 180px"
        label="Since (UTC)"
        whenEmpty="First day"
        value={filters.since}
        onDay={(since) => onChange({ ...filters, since })}
      />
    </Group>
  );
}

function EntryTable({ page }: { page: AuditPage }) {
  if (page.entries.length === 0) return <Note>No entry matches.</Note>;
  return (
    <TableCard
      label="Audit log entries"
      columns={['Time', 'Actor', 'Action', '>Rows', '>Credits', 'Details']}
      widthMinPx={860}
    >
      {page.entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} />
      ))}
    </TableCard>
  );
}

function Entries() {
  const [filters, setFilters] = useState(noFilters);
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const before = befores.at(-1) ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', filters, before],
    queryFn: () => readAudit(filters, before, pageEntries),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const change = (next: AuditFilters) => {
    setFilters(next);
    setBefores([null]);
  };
  const save = (
    <SaveRows
      name="Audit log"
      sentence="Every entry with its hash, oldest first."
      filter={isFiltered(filters) ? 'the filtered' : null}
      hasOwnCells={false}
      onExport={(path, options) =>
        exportAudit(options.shownOnly ? filters : null, {
          ...(path === undefined ? {} : { path }),
          ...describeFormat(options),
        })
      }
    />
  );
  return (
    <Section
      title={data ? countOf(data.total, 'entry', 'entries') : 'The log'}
      sentence="All accounts, newest first. Entries cannot be changed or deleted here."
      action={save}
    >
      <Stack gap="md">
        <Filters filters={filters} actors={data?.actors ?? []} onChange={change} />
        <ErrorPanel title="The log could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={120} />}
        {data && <EntryTable page={data} />}
        <NewerOlder befores={befores} next={data?.next ?? null} onChange={setBefores} />
      </Stack>
    </Section>
  );
}

export function AuditScreen() {
  return (
    <Page
      title="Audit log"
      sentence="Who exported, showed, deleted, suppressed or changed what, when and how much."
    >
      <ScreenLink href="/settings">Back to the settings</ScreenLink>
      <Entries />
      <ChainState />
    </Page>
  );
}
