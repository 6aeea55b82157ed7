/** The merges, newest first, with undo. */

import { Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { duplicates, type RecordMerge } from '../../../engine/contract/duplicates/duplicates.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { showTime } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';

const changed = ['duplicates', 'directory', 'state', 'found-people'];

function UndoButton({ merge }: { merge: RecordMerge }) {
  const undo = useChange((id: number) => ask(duplicates.undoMerge, { id }), changed);
  const name = merge.survivor.name;
  return (
    <ConfirmButton
      size="compact-sm"
      title="Undo the merge"
      sentence={
        'Both records are restored exactly as they were. This is possible as long as nothing has ' +
        'changed the merged record since.'
      }
      act="Undo the merge"
      aria-label={`Undo the merge of ${name}`}
      loading={undo.isPending}
      onConfirm={() =>
        undo.mutate(merge.id, {
          onSuccess: () => showSuccess(`The merge of ${isolate(name)} was undone.`),
          onError: (error) => showFailure('The merge was not undone', error),
        })
      }
    >
      Undo
    </ConfirmButton>
  );
}

function MergeRow({ merge }: { merge: RecordMerge }) {
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>{merge.survivor.name || '(suppressed)'}</Table.Td>
      <Table.Td className={tableClasses.name}>{merge.other.name || '(suppressed)'}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <div>{merge.merged_by}</div>
        <Text size="xs" c="dimmed">
          {showTime(merge.merged_at)}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {merge.undone_at === null ? (
          <UndoButton merge={merge} />
        ) : (
          <Text size="sm" c="dimmed">
            undone {showTime(merge.undone_at)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Nothing if there was no merge. */
export function MergeList() {
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const before = befores.at(-1) ?? null;
  const { data } = useQuery({
    queryKey: ['duplicates', 'merges', before],
    queryFn: () => ask(duplicates.merges, { before: before ?? undefined }),
    placeholderData: keepPreviousData,
  });
  if (!data || data.merges.length === 0) return null;
  return (
    <Section title="Merges" sentence="Newest first. A merge can be undone.">
      <Stack gap="md">
        <TableCard
          label="Merged records"
          columns={['Kept', 'Merged into it', 'By', '>Undo']}
          widthMinPx={640}
        >
          {data.merges.map((merge) => (
            <MergeRow key={merge.id} merge={merge} />
          ))}
        </TableCard>
        <NewerOlder befores={befores} next={data.next} onChange={setBefores} />
      </Stack>
    </Section>
  );
}
