/** One pipeline: live while it runs, its outcome at the end, and all its contacts. */
import { Anchor, Breadcrumbs, Group, Text } from '@mantine/core';
import { IconBan, IconUsersGroup } from '@tabler/icons-react';
import { Link } from 'wouter';
import { pipelines } from '../../../engine/contract/pipelines/app-pipelines.ts';
import type { Pipeline } from '../../../engine/contract/pipelines/pipeline.ts';
import type { PipelineProgress } from '../../../engine/contract/pipelines/pipeline-progress.ts';
import { ask } from '../../api/client.ts';
import { useCall, useIsLive } from '../../api/live.ts';
import { usePipeline, usePipelineProgress } from '../../api/pipelines.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { countOf, showTime } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { describeFormat, SaveRows } from '../../components/save/save-dialog.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { PageTitle } from '../../components/titles/page-title.tsx';
import { showFailure } from '../../components/toast.ts';
import { UnreadRecord } from '../../components/unread-record.tsx';
import { PipelineGrid } from './pipeline-grid.tsx';
import { PipelineHead } from './pipeline-head.tsx';
import { describeWish, isVerified } from './pipeline-words.ts';

const changed = ['pipeline', 'pipelines', 'pipeline-progress', 'state', 'wallet', 'entries'];

function CancelButton({ pipeline }: { pipeline: Pipeline }) {
  const cancel = useCall(pipelines.cancel, changed);
  return (
    <ConfirmButton
      title="Cancel this run?"
      sentence={
        'Values shown so far stay yours and are charged. The rest of the reserved ' +
        'credits returns to the wallet. A cancelled list has no result: show the same ' +
        'people again to see the values that you own, at no cost.'
      }
      act="Cancel the run"
      keep="Keep running"
      loading={cancel.isPending}
      leftSection={<IconBan size={16} aria-hidden />}
      onConfirm={() =>
        cancel.mutate(
          { id: pipeline.pipeline_id },
          { onError: (error) => showFailure('The list was not cancelled', error) },
        )
      }
    >
      Cancel
    </ConfirmButton>
  );
}

function Actions({ pipeline }: { pipeline: Pipeline }) {
  if (!pipeline.ready) return <CancelButton pipeline={pipeline} />;
  if (pipeline.status !== 'completed' || pipeline.total === 0) return null;
  return (
    <SaveRows
      name={`${pipeline.title || 'contacts'}-emails-phones`}
      sentence="All your columns and rows in order, then the emails and phones of each contact."
      filter={null}
      onExport={(path, options) =>
        ask(pipelines.exportRows, {
          id: pipeline.pipeline_id,
          path,
          ...describeFormat(options),
        })
      }
    />
  );
}

function Trail({
  pipeline,
  progress,
}: {
  pipeline: Pipeline;
  progress: PipelineProgress | undefined;
}) {
  return (
    <Breadcrumbs component="nav" aria-label="Breadcrumbs" separatorMargin={6}>
      <Anchor component={Link} href="/directory/contacts" size="sm">
        Emails and phones
      </Anchor>
      <Text size="sm" c="dimmed" className="numbers">
        {countOf(pipeline.total, 'contact')}
        {progress && ` · ${describeWish(progress)}`} · {showTime(pipeline.created_at)}
      </Text>
    </Breadcrumbs>
  );
}

export function PipelineScreen({ id }: { id: string }) {
  const live = useIsLive();
  const { data: pipeline, error, refetch } = usePipeline(id, live);
  const { data: progress } = usePipelineProgress(id, live, pipeline?.ready === false);
  if (!pipeline)
    return (
      <UnreadRecord
        name="list"
        list="/directory/contacts"
        listed="lists"
        full
        error={error}
        onRetry={() => void refetch()}
      />
    );
  return (
    <Page
      full
      title={
        <Group gap="sm" component="span">
          <bdi>{pipeline.title || 'Emails and phones'}</bdi>
          <StatusChip status={pipeline.status} />
        </Group>
      }
      sentence={<Trail pipeline={pipeline} progress={progress} />}
      action={<Actions pipeline={pipeline} />}
    >
      <PageTitle title={pipeline.title || 'Emails and phones'} />
      <PipelineHead pipeline={pipeline} progress={progress} />
      {pipeline.status === 'completed' &&
        (pipeline.total > 0 ? (
          <PipelineGrid
            pipeline={pipeline}
            withVerification={progress !== undefined && isVerified(progress)}
          />
        ) : (
          <EmptyState
            Icon={IconUsersGroup}
            title="No people were found"
            sentence="The filters matched no people when it started. Nothing was charged."
          />
        ))}
    </Page>
  );
}
