/** Starts and stops the search for duplicates, and says how current the list is. */

import { Button, Loader, Text } from '@mantine/core';
import {
  type DuplicateSearch,
  duplicates,
} from '../../../engine/contract/duplicates/duplicates.ts';
import { ask } from '../../api/client.ts';
import { useChange, useTask } from '../../api/live.ts';
import { countOf, showCount, showTime } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { showFailure } from '../../components/toast.ts';

function describe({ status, is_outdated, ended_at }: DuplicateSearch): string {
  if (status === 'never') return 'The directory has not been searched yet.';
  if (status === 'running') return 'The search continues if you leave this page.';
  if (status === 'stopped') return 'The search was stopped. The next one continues it.';
  const when = ended_at === null ? '' : ` of ${showTime(ended_at)}`;
  return is_outdated
    ? `The directory has changed since the search${when}.`
    : `The search${when} covers the whole directory.`;
}

/** How far a running search has come. */
function Progress() {
  const task = useTask('duplicates');
  const share = task?.total ? `: ${showCount(task.done)} of ${showCount(task.total)} people` : '';
  return (
    <Text size="sm" c="dimmed" role="status">
      <Loader size={14} mr={8} aria-hidden />
      Searching for duplicates{share}
    </Text>
  );
}

export function SearchCard({ search }: { search: DuplicateSearch }) {
  const start = useChange(() => ask(duplicates.search, {}), ['duplicates']);
  const stop = useChange(() => ask(duplicates.stopSearch), ['duplicates']);
  const onError = (error: Error) => showFailure('The search was not changed', error);
  const isRunning = search.status === 'running';
  return (
    <Section
      title="Search"
      sentence={describe(search)}
      action={
        isRunning ? (
          <Button
            variant="default"
            loading={stop.isPending}
            onClick={() => stop.mutate(undefined, { onError })}
          >
            Stop the search
          </Button>
        ) : (
          <Button
            variant={search.status === 'never' ? 'filled' : 'default'}
            loading={start.isPending}
            onClick={() => start.mutate(undefined, { onError })}
          >
            Search for duplicates
          </Button>
        )
      }
    >
      {isRunning && <Progress />}
      {search.blocks_skipped > 0 && (
        <Text size="sm" c="dimmed">
          {countOf(search.blocks_skipped, 'group')} of records that share one value were too large
          to compare.
        </Text>
      )}
    </Section>
  );
}
