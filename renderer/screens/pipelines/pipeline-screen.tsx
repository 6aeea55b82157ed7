// One pipeline: live while it runs, its outcome at the end, and all its contacts.
import { Alert, Anchor, Breadcrumbs, Group, Progress, Skeleton, Text } from '@mantine/core';
import { IconBan, IconCheck, IconLock, IconUsersGroup } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Link } from 'wouter';
import {
  type PipelineGridPage,
  pipelines,
} from '../../../engine/contract/pipelines/app-pipelines.ts';
import type {
  Pipeline,
  PipelineContact,
  PipelineKind,
} from '../../../engine/contract/pipelines/pipeline.ts';
import type { PipelineProgress } from '../../../engine/contract/pipelines/pipeline-progress.ts';
import { ApiError, ask } from '../../api/client.ts';
import { useCall, useIsLive } from '../../api/live.ts';
import { usePipeline, usePipelineProgress } from '../../api/pipelines.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ColumnsMenu, ColumnsSwitch } from '../../components/data-grid/columns-menu.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { type GridColumn, useGridColumns } from '../../components/data-grid/grid-columns.ts';
import { type InputColumn, measureColumns } from '../../components/data-grid/input-columns.ts';
import { useVisiblePages } from '../../components/data-grid/visible-pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import {
  countCredits,
  countOf,
  showCount,
  showCredits,
  showDuration,
  showShare,
  showTime,
  unitsOf,
} from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import run from '../../components/run.module.css';
import { PausedRun, RunCounts, useStart } from '../../components/run-counts.tsx';
import { describeFormat, SaveRows } from '../../components/save/save-dialog.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Note, ScreenLink } from '../../components/text.tsx';
import { PageTitle } from '../../components/titles/page-title.tsx';
import { UnreadRecord } from '../../components/unread-record.tsx';
import {
  chipOfContact,
  describeEnd,
  describeWish,
  isVerified,
  shareOf,
  stepWords,
  wordOfUnlock,
} from './pipeline-words.ts';
import classes from './pipelines.module.css';

const measuredRows = 30;

const pageOf = (id: string, page: number) => ({
  queryKey: ['pipeline-rows', id, page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    ask(pipelines.rows, { id, limit: pageRows, offset: page * pageRows }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

const measurePage = ({ headers, rows }: PipelineGridPage) =>
  measureColumns(
    headers,
    rows.slice(0, measuredRows).map(({ input }) => input),
  );

/** Any contact near the visible range by position, and the columns of the caller's file. */
function usePipelineRows(id: string, rowCount: number) {
  const { pages, onSight } = useVisiblePages(rowCount);
  const firstPage = pages[0] ?? 0;
  const { data, error } = useQueries({
    queries: pages.map((page) => pageOf(id, page)),
    combine: (results) => ({
      data: results.map((result) => result.data?.rows),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  // A separate query, so that the grid is shown while the visible pages load.
  const first = useQuery({ ...pageOf(id, 0), select: measurePage });
  const readRow = useMemo(
    () =>
      (row: number): PipelineGridPage['rows'][number] | undefined =>
        data[Math.floor(row / pageRows) - firstPage]?.[row % pageRows],
    [data, firstPage],
  );
  return { readRow, onSight, inputColumns: first.data, error: error ?? first.error };
}

type Row = PipelineGridPage['rows'][number];
interface ContactColumn extends GridColumn {
  readonly read: (row: Row) => string;
}

const showValue = (contact: PipelineContact, kind: PipelineKind): string =>
  contact[kind] ?? (contact.locked.includes(kind) ? 'Locked' : '');

const found = (label: string, width: number, read: (contact: PipelineContact) => string) => ({
  label,
  kind: 'found' as const,
  width,
  read: ({ contact }: Row) => read(contact),
});

const verificationColumn = found('Verification', 100, ({ verification }) =>
  wordOfUnlock(verification?.status ?? ''),
);

const valueColumns = {
  email: found('Email', 210, (contact) => showValue(contact, 'email')),
  phone: found('Phone', 130, (contact) => showValue(contact, 'phone')),
};

/** Columns of the results; the values that were asked for come first. */
const listFound = (progress: PipelineProgress): readonly ContactColumn[] => [
  found('Name', 150, (contact) => `${contact.first_name} ${contact.last_name}`.trim()),
  ...(progress.unlock.includes('email') ? [valueColumns.email] : []),
  ...(isVerified(progress) ? [verificationColumn] : []),
  ...(progress.unlock.includes('phone') ? [valueColumns.phone] : []),
  found('Title', 150, ({ title }) => title ?? ''),
  found('Company', 160, ({ company_name }) => company_name ?? ''),
  {
    label: 'Reason',
    kind: 'plain',
    width: 160,
    read: ({ contact }) => wordOfUnlock(contact.reason),
  },
  {
    label: 'Credits',
    kind: 'plain',
    width: 84,
    read: ({ contact }) => showCredits(contact.credits_charged),
  },
];

const columnsOf = (input: readonly InputColumn[], progress: PipelineProgress): ContactColumn[] => [
  ...input.map((column, at) => ({
    ...column,
    kind: 'input' as const,
    read: ({ input }: Row) => input[at] ?? '',
  })),
  ...listFound(progress),
];

const readTitle = ({ contact }: Row) => contact.error_message || undefined;

interface GridProps {
  readonly pipeline: Pipeline;
  readonly progress: PipelineProgress;
}

function Rows({
  pipeline,
  progress,
  inputColumns,
  rows: { readRow, onSight },
}: GridProps & {
  inputColumns: readonly InputColumn[];
  rows: ReturnType<typeof usePipelineRows>;
}) {
  const columns = useMemo(() => columnsOf(inputColumns, progress), [inputColumns, progress]);
  const table = useGridColumns(columns);
  const readCell = useCallback(
    (data: Row, column: number) => columns[column]?.read(data) ?? '',
    [columns],
  );
  const numberWidth = `${showCount(pipeline.total).length}ch`;
  const rowHead = useCallback(
    (row: number, data: Row | undefined) => {
      return (
        <>
          <span className={run.rowNumber} style={{ minWidth: numberWidth }}>
            {showCount(row + 1)}
          </span>
          {data && <StatusChip {...chipOfContact(data.contact)} />}
        </>
      );
    },
    [numberWidth],
  );
  return (
    <>
      {inputColumns.length > 0 && (
        <Group gap="sm">
          <ColumnsSwitch table={table} columns={columns} />
          <ColumnsMenu table={table} columns={columns} />
        </Group>
      )}
      <div className={run.gridRoom}>
        <DataGrid
          label={`Contacts of ${pipeline.title || 'the list'}`}
          table={table}
          columns={columns}
          rowCount={pipeline.total}
          readRow={readRow}
          readCell={readCell}
          readTitle={readTitle}
          rowHead={rowHead}
          headLabel="Contact"
          headWidthPx={150 + showCount(pipeline.total).length * 8}
          onSight={onSight}
        />
      </div>
    </>
  );
}

function PipelineGrid(props: GridProps) {
  const rows = usePipelineRows(props.pipeline.pipeline_id, props.pipeline.total);
  return (
    <>
      <ErrorPanel title="The contacts could not be loaded" error={rows.error} />
      {rows.inputColumns ? (
        <Rows {...props} inputColumns={rows.inputColumns} rows={rows} />
      ) : (
        !rows.error && <Skeleton className={run.gridRoom} />
      )}
    </>
  );
}

function Counts({ pipeline, progress }: { pipeline: Pipeline; progress: PipelineProgress }) {
  const counts: [string, string][] = [
    ['known', showCount(pipeline.matched)],
    ['shown', showCount(pipeline.unlocked)],
    ['not shown', showCount(pipeline.locked)],
    ...(isVerified(progress)
      ? [['verified', showCount(pipeline.verified)] as [string, string]]
      : []),
    ['credits reserved', showCredits(pipeline.credits_held)],
    ['to be charged so far', showCredits(progress.charged_so_far)],
  ];
  return <RunCounts counts={counts} />;
}

function Steps({ steps }: Pick<PipelineProgress, 'steps'>) {
  const inHand = steps.find(({ done, total }) => done < total)?.step;
  return (
    <ol className={classes.steps}>
      {steps.map(({ step, done, total }) => (
        <li key={step} data-state={step === inHand ? 'now' : done < total ? 'later' : 'done'}>
          <span className={classes.stepName}>
            {done === total && <IconCheck size={14} stroke={2.4} aria-hidden />}
            {stepWords[step].name}
          </span>
          <span className="numbers">
            {showCount(done)} of {showCount(total)}
          </span>
          <Progress
            value={shareOf({ done, total }) * 100}
            size="sm"
            aria-label={`${stepWords[step].name}: contacts done`}
            transitionDuration={150}
          />
        </li>
      ))}
    </ol>
  );
}

function describeNow({ steps, contacts_per_second: speed, seconds_left: left }: PipelineProgress) {
  const inHand = steps.find(({ done, total }) => done < total);
  if (!inHand) return 'Ending …';
  const of = countOf(inHand.total, 'contact');
  return [
    `${stepWords[inHand.step].now} ${showCount(inHand.done)} of ${of}`,
    showShare(shareOf(inHand)),
    ...(speed > 0 ? [`${showCount(speed)} contacts/s`] : []),
    ...(left === null ? [] : [`${showDuration(left)} left of this step`]),
  ].join(' · ');
}

interface RunningProps {
  pipeline: Pipeline;
  progress: PipelineProgress | undefined;
}

function Running({ pipeline, progress }: RunningProps) {
  const others = progress?.turns_with ?? 0;
  const start = useStart(
    pipeline.status === 'queued',
    others > 0 ? `Takes turns with ${countOf(others, 'other list')}. ` : 'Starts next. ',
  );
  return (
    <section aria-label="Progress" className={classes.head}>
      <Text className="numbers">
        {start}
        {progress && describeNow(progress)}
      </Text>
      <PausedRun id={pipeline.pipeline_id} />
      {progress && (
        <>
          <Steps steps={progress.steps} />
          <Counts pipeline={pipeline} progress={progress} />
        </>
      )}
    </section>
  );
}

function Locked({ pipeline }: { pipeline: Pipeline }) {
  return (
    <Alert
      color="yellow"
      icon={<IconLock size={18} />}
      title={`${countOf(pipeline.locked, 'contact has', 'contacts have')} hidden values`}
    >
      <Text size="sm">
        The credits ran out, or the API key reached a cap. Locked values cost nothing.{' '}
        <ScreenLink underline="always" href="/wallet">
          Add credits
        </ScreenLink>
        , then show the same people again. Values that you own are free.
      </Text>
    </Alert>
  );
}

function Cancelled({ pipeline }: { pipeline: Pipeline }) {
  const kept =
    pipeline.unlocked === 1
      ? '1 contact that was shown before stays yours'
      : `${showCount(pipeline.unlocked)} contacts that were shown before stay yours`;
  return (
    <Text role="status" className="numbers">
      Cancelled. {kept}: {countCredits(pipeline.credits_charged)} charged,{' '}
      {showCredits(pipeline.credits_released)} returned to the wallet.{' '}
      <Anchor component={Link} underline="always" href="/directory/contacts/new">
        Show the same people again
      </Anchor>{' '}
      to see the values that you own, at no cost.
    </Text>
  );
}

interface PipelineHeadProps {
  pipeline: Pipeline;
  progress: PipelineProgress | undefined;
}

function PipelineHead({ pipeline, progress }: PipelineHeadProps) {
  if (!pipeline.ready) return <Running pipeline={pipeline} progress={progress} />;
  if (pipeline.status === 'cancelled') return <Cancelled pipeline={pipeline} />;
  if (pipeline.status === 'failed') {
    const isFree = unitsOf(pipeline.credits_charged) === 0;
    const charged = `${countCredits(pipeline.credits_charged)} were charged`;
    const why = pipeline.error_detail ?? pipeline.error ?? 'No reason was given.';
    return (
      <ErrorPanel
        title={`The list failed; ${isFree ? 'nothing was charged' : charged}`}
        error={new ApiError(pipeline.error ?? '', why, 0)}
      />
    );
  }
  return (
    <>
      <Text role="status" className="numbers">
        {describeEnd(pipeline, progress !== undefined && isVerified(progress))}
      </Text>
      {pipeline.locked > 0 && <Locked pipeline={pipeline} />}
    </>
  );
}

const changed = ['pipeline', 'pipelines', 'pipeline-progress', 'state', 'wallet', 'entries'];

function CancelButton({ pipeline }: { pipeline: Pipeline }) {
  const cancel = useCall(pipelines.cancel, changed, { failed: 'The list was not cancelled' });
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
      tooLate={
        pipeline.ready
          ? `The run ended before you cancelled it. It is ${pipeline.status}.`
          : undefined
      }
      loading={cancel.isPending}
      leftSection={<IconBan size={16} aria-hidden />}
      onConfirm={() => cancel.mutate({ id: pipeline.pipeline_id })}
    >
      Cancel
    </ConfirmButton>
  );
}

function Actions({ pipeline }: { pipeline: Pipeline }) {
  return (
    <>
      <CancelButton pipeline={pipeline} />
      {pipeline.status === 'completed' && pipeline.total > 0 && (
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
      )}
    </>
  );
}

interface TrailProps {
  pipeline: Pipeline;
  progress: PipelineProgress | undefined;
}

function Trail({ pipeline, progress }: TrailProps) {
  return (
    <Breadcrumbs component="nav" aria-label="Breadcrumbs" separatorMargin={6}>
      <ScreenLink href="/directory/contacts">Emails and phones</ScreenLink>
      <Note className="numbers">
        {countOf(pipeline.total, 'contact')}
        {progress && ` · ${describeWish(progress)}`} · {showTime(pipeline.created_at)}
      </Note>
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
          progress && <PipelineGrid pipeline={pipeline} progress={progress} />
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
