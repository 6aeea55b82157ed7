// Adds the people of a list that the directory lacks, with the list's own columns.
import { Button, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { jobExports } from '../../../engine/contract/exports/job-exports.ts';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { importFiles } from '../../api/upload.ts';
import { countOf } from '../../components/numbers.ts';
import { ScreenLink } from '../../components/text.tsx';
import { useOutcomes } from './outcome-bar.tsx';

/** Characters of the name of an import. */
const sourceCharactersMax = 120;

/** Imports the rows without a match, as the file has them. */
async function addUnmatched({ job_id, title }: StatusData): Promise<void> {
  const { download_url: url } = await ask(jobExports.write, {
    job_id,
    rows: 'shown',
    reason: 'no_match',
    overwrite: { default: 'never', columns: {}, found_columns: false },
  });
  const rows = await (await fetch(url ?? '')).blob();
  const source = `${title || 'Job'}, unmatched`.slice(-sourceCharactersMax);
  const people = new File([rows], `${source}.csv`, { type: 'text/csv' });
  await importFiles({ people, companies: null, options: { source } }, () => undefined);
}

/** The button; nothing if every row has a match. */
export function AddUnmatched({ job }: { job: StatusData }) {
  const count = useOutcomes(job)?.reasons.no_match ?? 0;
  const adding = useChange(addUnmatched, ['directory'], { failed: 'The people were not added' });
  if (job.status !== 'completed' || count === 0) return null;
  if (adding.isSuccess)
    return (
      <Text size="sm" role="status">
        {countOf(count, 'row')} without a match {count === 1 ? 'is' : 'are'} imported. The report,
        and the undo, are in{' '}
        <ScreenLink href="/directory/imports" underline="always">
          Imports
        </ScreenLink>
        .
      </Text>
    );
  return (
    <Button
      size="xs"
      w="fit-content"
      maw="100%"
      h="auto"
      py={6}
      styles={{ label: { whiteSpace: 'normal' } }}
      leftSection={<IconUserPlus size={16} aria-hidden />}
      loading={adding.isPending}
      onClick={() => adding.mutate(job)}
    >
      Add {countOf(count, 'row')} without a match to the directory
    </Button>
  );
}
