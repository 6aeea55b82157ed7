// Everything about one person: found by any identifier, exported, deleted.
import { Alert, Button, Group, Radio, Skeleton, Stack, Table, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { personValueCharactersMax } from '../../../engine/contract/limits/privacy/person-data.ts';
import {
  type PersonCandidate,
  type PersonQuery,
  type PersonReceipt,
  personData,
} from '../../../engine/contract/person-data/person-data.ts';
import { useAnswer, useCall } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showTime } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note, ScreenLink } from '../../components/text.tsx';
import { HeldData } from './held-data.tsx';
import { countEntries } from './person-words.ts';
import { saveJson } from './save-json.ts';

function ReceiptRow({ receipt }: { receipt: PersonReceipt }) {
  const { receipt_id: id } = receipt;
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.steady}>{showTime(receipt.requested_at)}</Table.Td>
      <Table.Td className={tableClasses.name}>{receipt.author}</Table.Td>
      <Table.Td>
        <div>{receipt.state === 'done' ? countEntries(receipt.total) : 'In progress'}</div>
        <Caption>{receipt.suppressed ? 'Suppressed too' : 'Not suppressed'}</Caption>
      </Table.Td>
      <Table.Td className={tableClasses.name}>{id}</Table.Td>
      <Table.Td ta="right">
        <Button
          size="compact-sm"
          aria-label={`Download receipt ${id}`}
          onClick={() => saveJson(receipt, `receipt-${id}.json`)}
        >
          Download
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

/** All receipts, newest first. */
function Receipts() {
  const { data, error, refetch } = useAnswer(['person-receipts'], personData.receipts);
  return (
    <Section
      title="Receipts"
      sentence={
        'What was deleted, where and when. ' +
        'A receipt contains keyed hashes, never the person’s values.'
      }
    >
      <ErrorPanel title="The receipts could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={80} />}
      {data?.length === 0 && <Note>No deletions yet.</Note>}
      {data && data.length > 0 && (
        <TableCard
          label="Deletions"
          columns={['Time', 'By', 'Deleted', 'Receipt', '>Action']}
          widthMinPx={760}
        >
          {data.map((receipt) => (
            <ReceiptRow key={receipt.receipt_id} receipt={receipt} />
          ))}
        </TableCard>
      )}
    </Section>
  );
}

const nameWords =
  'A name alone finds people in the directory. For others, add the employer: Ada Lovelace | Acme';

const describe = ({ title, employer, environment }: PersonCandidate): string =>
  [title, employer, environment === 'staging' ? 'staging' : ''].filter(Boolean).join(' · ') ||
  'No employer is known';

interface CandidatesProps {
  candidates: readonly PersonCandidate[];
  picked: string | undefined;
  onPick: (pick: string) => void;
}

function Candidates({ candidates, picked, onPick }: CandidatesProps) {
  return (
    <Section
      title={`${candidates.length} people match`}
      sentence="Select the person you mean. Data about the others is neither shown nor deleted."
    >
      <Radio.Group value={picked ?? ''} onChange={onPick} aria-label="Matching people">
        <Stack gap="sm">
          {candidates.map((one) => (
            <Radio
              key={one.pick}
              value={one.pick}
              label={one.name || 'A person who is not in the directory'}
              description={describe(one)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Section>
  );
}

interface SearchFormProps {
  isPending: boolean;
  onSearch: (value: string) => void;
}

function SearchForm({ isPending, onSearch }: SearchFormProps) {
  const [value, setValue] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() !== '') onSearch(value.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="md">
        <TextInput
          flex="1 1 320px"
          label="Email, phone, profile URL, id, or name"
          description={nameWords}
          autoComplete="off"
          maxLength={personValueCharactersMax}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button variant="filled" type="submit" disabled={value.trim() === ''} loading={isPending}>
          Find
        </Button>
      </Group>
    </form>
  );
}

interface FoundProps {
  search: ReturnType<typeof useSearch>;
  query: PersonQuery;
  onPick: (pick: string) => void;
  onDeleted: (receipt: PersonReceipt) => void;
}

function Found({ search, query, onPick, onDeleted }: FoundProps) {
  const { data, error } = search;
  if (error) return <ErrorPanel title="The search failed" error={error} />;
  if (!data) return null;
  const { candidates, held } = data;
  return (
    <>
      {candidates.length === 0 && (
        <Alert color="yellow" role="status" title="No person in the directory has this name">
          Enter an email, a phone or a profile URL, or add the employer: Ada Lovelace | Acme.
        </Alert>
      )}
      {candidates.length > 1 && (
        <Candidates candidates={candidates} picked={query.pick} onPick={onPick} />
      )}
      {held && <HeldData query={query} held={held} onDeleted={onDeleted} />}
    </>
  );
}

const useSearch = () => useCall(personData.search, []);

/** @param asked a value that is searched for at once, such as an id */
export function PersonDataScreen({ asked }: { asked?: string }) {
  const [query, setQuery] = useState<PersonQuery | null>(null);
  const [receipt, setReceipt] = useState<PersonReceipt | null>(null);
  const search = useSearch();
  const find = (next: PersonQuery) => {
    setQuery(next);
    setReceipt(null);
    search.mutate(next);
  };
  const { mutate } = search;
  useEffect(() => {
    if (asked === undefined) return;
    setQuery({ value: asked });
    mutate({ value: asked });
  }, [asked, mutate]);
  const finish = (done: PersonReceipt) => {
    search.reset();
    setQuery(null);
    setReceipt(done);
  };
  return (
    <Page
      title="Privacy requests"
      sentence="Find, export or delete everything that this desk holds about one person."
    >
      <ScreenLink href="/directory">Back to the directory</ScreenLink>
      <SearchForm isPending={search.isPending} onSearch={(value) => find({ value })} />
      {receipt && (
        <Alert color="teal" role="status" title={`Deleted: ${countEntries(receipt.total)}`}>
          Receipt {receipt.receipt_id}. Backups and files that were exported before are not changed.
          {receipt.suppressed
            ? ' The person is on the suppression list.'
            : ' An import of a list with the person adds the person again.'}
        </Alert>
      )}
      {query && (
        <Found
          search={search}
          query={query}
          onPick={(pick) => find({ value: query.value, pick })}
          onDeleted={finish}
        />
      )}
      <Receipts />
    </Page>
  );
}
