// All pipelines of the account, from app and API, newest first.
import { Button, Progress, Skeleton, Table } from '@mantine/core';
import { IconLockOpen2 } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { pipelines } from '../../../engine/contract/pipelines/app-pipelines.ts';
import type { Pipeline } from '../../../engine/contract/pipelines/pipeline.ts';
import { useAnswer, useIsLive } from '../../api/live.ts';
import { usePipeline, usePipelineProgress } from '../../api/pipelines.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount, showCredits, showTime } from '../../components/numbers.ts';
import { Pager } from '../../components/pager.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { ScreenLink } from '../../components/text.tsx';
import { DirectoryPage } from '../directory/directory-page.tsx';
import { shareOf, stepWords } from './pipeline-words.ts';

const pagePipelines = 50;
const columns = [
  'List',
  'Status',
  '>Contacts',
  '>Known',
  '>Shown',
  '>Not shown',
  '>Verified',
  '>Charged',
  '>Started',
];

function Running({ pipeline, live }: { pipeline: Pipeline; live: boolean }) {
  const { data } = usePipelineProgress(pipeline.pipeline_id, live, true);
  const step = data?.steps.find(({ done, total }) => done < total);
  if (!step) return <StatusChip status={pipeline.status} />;
  return (
    <Progress value={shareOf(step) * 100} w={110} aria-label={`${stepWords[step.step].now}`} />
  );
}

function PipelineRow({ listed, live }: { listed: Pipeline; live: boolean }) {
  // A running pipeline's own record is newer than its entry in the list.
  const { data: pipeline = listed } = usePipeline(listed.pipeline_id, live, listed);
  const numbers = [pipeline.matched, pipeline.unlocked, pipeline.locked, pipeline.verified];
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <ScreenLink href={`/directory/contacts/${pipeline.pipeline_id}`} fw={550}>
          {pipeline.title || 'Untitled list'}
        </ScreenLink>
      </Table.Td>
      <Table.Td>
        {pipeline.status === 'running' ? (
          <Running pipeline={pipeline} live={live} />
        ) : (
          <StatusChip status={pipeline.status} />
        )}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(pipeline.total)}</Table.Td>
      {numbers.map((number, at) => (
        <Table.Td key={columns[at + 3]} className={tableClasses.number}>
          {showCount(number)}
        </Table.Td>
      ))}
      <Table.Td className={tableClasses.number}>{showCredits(pipeline.credits_charged)}</Table.Td>
      <Table.Td className={tableClasses.number}>{showTime(pipeline.created_at)}</Table.Td>
    </Table.Tr>
  );
}

export function PipelinesScreen() {
  const [offset, setOffset] = useState(0);
  const live = useIsLive();
  const { data, error, refetch } = useAnswer(['pipelines', offset], pipelines.list, {
    input: { limit: pagePipelines, offset },
    placeholderData: keepPreviousData,
    refetchInterval: live ? false : 2_000,
  });
  const create = (
    <Button variant="filled" component={Link} href="/directory/contacts/new">
      Show emails and phones
    </Button>
  );
  return (
    <DirectoryPage
      part="contacts"
      sentence="Emails and phones of many people at once, verified if you like."
    >
      {data !== undefined && data.count > 0 && <div>{create}</div>}
      <ErrorPanel title="The lists could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={240} />}
      {data?.count === 0 && (
        <EmptyState
          Icon={IconLockOpen2}
          title="No list yet"
          sentence={
            'Choose people of your directory, or a spreadsheet, and save their emails and ' +
            'phones. Emails can be verified.'
          }
          action={create}
        />
      )}
      {data && data.count > 0 && (
        <TableCard label="Lists of emails and phones" columns={columns} widthMinPx={980}>
          {data.results.map((pipeline) => (
            <PipelineRow key={pipeline.pipeline_id} listed={pipeline} live={live} />
          ))}
        </TableCard>
      )}
      {data && (
        <Pager count={data.count} offset={offset} limit={pagePipelines} onOffset={setOffset} />
      )}
    </DirectoryPage>
  );
}
