/** One pair: its evidence, the preview of the merge, and the decision. */

import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import {
  type DuplicateDetail,
  duplicates,
} from '../../../engine/contract/duplicates/duplicates.ts';
import { ask } from '../../api/client.ts';
import { useCall } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { type Choices, CompareTable } from './compare-table.tsx';
import { wordOfProbability } from './duplicate-words.ts';

const changed = ['duplicates', 'directory', 'state', 'found-people'];
const listPath = '/directory/duplicates';

function Decision({
  pair,
  choices,
  onKeepOther,
}: {
  pair: DuplicateDetail;
  choices: Choices;
  onKeepOther: () => void;
}) {
  const [, navigate] = useLocation();
  const merge = useCall(duplicates.merge, changed);
  const dismiss = useCall(pair.status === 'open' ? duplicates.dismiss : duplicates.reopen, changed);
  const [kept, other] = pair.records;
  const isOpen = pair.status === 'open';
  const onMerge = () =>
    merge.mutate(
      {
        id: pair.id,
        survivor: kept.id,
        choices: Object.fromEntries(
          Object.entries(choices).map(([field, at]) => [field, pair.records[at].id]),
        ),
      },
      {
        onSuccess() {
          showSuccess(`${isolate(other.name)} was merged into ${isolate(kept.name)}.`);
          navigate(listPath);
        },
        onError: (error) => showFailure('The records were not merged', error),
      },
    );
  const onDismiss = () =>
    dismiss.mutate(
      { id: pair.id },
      {
        onSuccess() {
          showSuccess(isOpen ? 'The pair was dismissed.' : 'The pair is listed again.');
          navigate(listPath);
        },
        onError: (error) => showFailure('The pair was not changed', error),
      },
    );
  return (
    <Group gap="sm">
      <ConfirmButton
        variant="filled"
        title="Merge the records"
        sentence={
          `${kept.name} gets the values of both. What refers to ${other.name} refers to the kept ` +
          'record from then on. Stored results do not change. You can undo the merge.'
        }
        act="Merge"
        loading={merge.isPending}
        onConfirm={onMerge}
      >
        Merge
      </ConfirmButton>
      <Button variant="default" loading={dismiss.isPending} onClick={onDismiss}>
        {isOpen ? 'Not the same' : 'List it again'}
      </Button>
      <Button variant="subtle" onClick={onKeepOther}>
        Keep the other record
      </Button>
    </Group>
  );
}

function Pair({ pair, onKeep }: { pair: DuplicateDetail; onKeep: (survivor: string) => void }) {
  const [choices, setChoices] = useState<Choices>({});
  const [kept, other] = pair.records;
  return (
    <Section
      title={wordOfProbability(pair)}
      sentence={`A merge keeps ${kept.name}. Where they differ, you can choose the value.`}
    >
      <CompareTable
        pair={pair}
        choices={choices}
        onChoose={(field, at) => setChoices({ ...choices, [field]: at })}
      />
      <Text size="sm" c="dimmed" my="md">
        By default the newest value is kept, then the value of the more trusted source. Other names,
        emails and profile URLs still find the record.
      </Text>
      <Decision pair={pair} choices={choices} onKeepOther={() => onKeep(other.id)} />
    </Section>
  );
}

export function DuplicateScreen({ id }: { id: number }) {
  const [survivor, setSurvivor] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['duplicates', 'pair', id, survivor],
    queryFn: () => ask(duplicates.read, { id, survivor: survivor ?? undefined }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Compare" sentence="Two records, field by field, with sources and dates.">
      <Anchor component={Link} href={listPath} size="sm">
        Back to the duplicates
      </Anchor>
      <ErrorPanel title="The pair could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={240} />}
      {data && !error && (
        <Pair key={data.records[0].id} pair={data} onKeep={(kept) => setSurvivor(kept)} />
      )}
    </Page>
  );
}
