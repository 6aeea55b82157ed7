// The side of a list before its start: file, columns, layers, price, and the button that spends.
import { Button, Collapse, Group, ScrollArea, Select, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { InputOf } from '../../../engine/contract/endpoints.ts';
import { type AppEstimate, newJobs } from '../../../engine/contract/jobs/app-jobs.ts';
import { teamRowsSentence } from '../../../engine/contract/jobs/expected-price.ts';
import { jobs, type StatusData } from '../../../engine/contract/jobs/job.ts';
import type { LayerCode } from '../../../engine/contract/jobs/layers.ts';
import { isOfCompanies } from '../../../engine/contract/jobs/row-input.ts';
import { providerCalls } from '../../../engine/contract/providers.ts';
import {
  type LeaveOutKind,
  leaveOutKinds,
  type RowsCheck,
} from '../../../engine/contract/reading/reading.ts';
import { type Upload, uploads } from '../../../engine/contract/uploads.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useAppState, useLayers } from '../../api/live.ts';
import { invalidate } from '../../api/query-cache.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import {
  countCredits,
  countOf,
  showCount,
  showCredits,
  showDate,
} from '../../components/numbers.ts';
import { Caption } from '../../components/text.tsx';
import { creditsSentence } from '../../components/words.ts';
import { handRows, titleOfFile } from '../job/list-source.ts';
import side from '../job/side.module.css';
import { ColumnsStep, canIdentify } from './columns-step.tsx';
import classes from './enrich.module.css';
import { FileStep } from './file-step.tsx';
import { useFlow } from './flow.tsx';
import { findLayerProblem, LayersStep } from './layers-step.tsx';
import { useOpenFiles } from './open-files.tsx';
import { usePaste } from './paste-list.tsx';
import { Expectation } from './price/expectation.tsx';
import { InferredEmails } from './price/inferred-emails.tsx';
import { ProvidersPrice } from './price/providers-price.tsx';
import { type Obstacle, StartBar } from './price/start-bar.tsx';
import { TryRows } from './price/try-rows.tsx';
import { Step } from './step.tsx';
import { AppliedTemplate, TemplatesButton } from './templates.tsx';

const cellsShown = 6;

const sentences: Readonly<Record<LeaveOutKind, (count: number) => string>> = {
  no_identity: (count) =>
    `${countOf(count, 'row')} without an email, profile URL or name: skipped, free.`,
  duplicates: (count) => `${countOf(count, 'repeated row')}: answered, free.`,
};

const leftSentences: Readonly<Record<LeaveOutKind, (count: number) => string>> = {
  no_identity: (count) =>
    `${countOf(count, 'row', 'rows')} without an email, profile URL or name left out.`,
  duplicates: (count) => `${countOf(count, 'repeated row', 'repeated rows')} left out.`,
};

function Examples({ check, kind }: { check: RowsCheck; kind: LeaveOutKind }) {
  const rows = check.examples.filter((row) => row.kind === kind);
  return (
    <ScrollArea.Autosize
      mah={160}
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'First of these rows' }}
    >
      <ul className={classes.checkedRows}>
        {rows.map(({ row, cells }) => (
          <li key={row}>
            Row {showCount(row + 1)}:{' '}
            {cells
              .filter((cell) => cell !== '')
              .slice(0, cellsShown)
              .join(' · ') || 'empty'}
          </li>
        ))}
        {check[kind] > rows.length && <li>and {showCount(check[kind] - rows.length)} more</li>}
      </ul>
    </ScrollArea.Autosize>
  );
}

function CheckLine({ check, kind }: { check: RowsCheck; kind: LeaveOutKind }) {
  const { flow, actions } = useFlow();
  const [open, { toggle }] = useDisclosure(false);
  const isLeftOut = flow.leaveOut.includes(kind);
  const change = () =>
    actions.change({
      leaveOut: leaveOutKinds.filter((one) =>
        one === kind ? !isLeftOut : flow.leaveOut.includes(one),
      ),
    });
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" flex={1} miw={120} className="numbers">
          {(isLeftOut ? leftSentences : sentences)[kind](check[kind])}
        </Text>
        <Button size="compact-sm" onClick={toggle} aria-expanded={open}>
          {open ? 'Hide' : 'Show'}
        </Button>
        <Button size="compact-sm" onClick={change} aria-pressed={isLeftOut}>
          {isLeftOut ? 'Keep them' : 'Leave out'}
        </Button>
      </Group>
      <Collapse expanded={open} transitionDuration={120}>
        <Examples check={check} kind={kind} />
      </Collapse>
    </div>
  );
}

/** The lines; nothing if no row could be left out. */
function CheckRows({ upload }: { upload: Upload }) {
  const { flow } = useFlow();
  const { mapping } = flow;
  const { data: check } = useQuery({
    queryKey: ['check-rows', upload.upload_id, mapping],
    queryFn: ({ signal }) =>
      ask(uploads.check, { upload_id: upload.upload_id, mapping }, { signal }),
    enabled: canIdentify(mapping),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const kinds = leaveOutKinds.filter((kind) => check && check[kind] > 0);
  if (!check || kinds.length === 0) return null;
  return (
    <section aria-label="Check" className={classes.check}>
      {kinds.map((kind) => (
        <CheckLine key={kind} check={check} kind={kind} />
      ))}
      {flow.leaveOut.length > 0 && (
        <Caption>
          Rows that are left out are not in the result. You can save them from the job.
        </Caption>
      )}
    </section>
  );
}

/** Jobs to choose from, newest first. */
const jobsShownMax = 100;

const labelOf = (job: StatusData): string =>
  [job.title || 'Untitled job', countOf(job.total_rows, 'row'), showDate(job.created_at)].join(
    ', ',
  );

/** The field; nothing while the account has no completed job. */
function NewSince() {
  const { flow, actions } = useFlow();
  const { data } = useAnswer(['jobs', 'completed'], jobs.list, {
    input: {
      limit: jobsShownMax,
      offset: 0,
      status: 'completed',
    },
  });
  if (!data || data.results.length === 0) return null;
  const [many, which] = isOfCompanies(flow.mapping) ? ['companies', 'that'] : ['people', 'who'];
  return (
    <Select
      label={`Only ${many} ${which} are not in`}
      description={`Rows about ${many} of that job are skipped and free.`}
      placeholder="no earlier job"
      clearable
      searchable
      maw={480}
      value={flow.options.new_since ?? null}
      onChange={(id) =>
        actions.change({ options: { ...flow.options, new_since: id ?? undefined } })
      }
      data={data.results.map((job) => ({ value: job.job_id, label: labelOf(job) }))}
    />
  );
}

type Question = InputOf<typeof newJobs.estimate>;

/** Delay after the last change before the price is requested. */
const debounceMs = 150;

/**
 * The price of the current choice, requested after a pause, and the job to start. The job uses what
 * was priced, even if the choice changes meanwhile.
 */
function usePricedChoice(upload: Upload | null, selection: readonly LayerCode[], isReady: boolean) {
  const { flow } = useFlow();
  const text = JSON.stringify({
    upload_id: upload?.upload_id ?? '',
    selected_layers: selection,
    mapping: flow.mapping,
    new_since: flow.options.new_since,
    ...(flow.leaveOut.length > 0 && { leave_out: flow.leaveOut }),
    ...(flow.corrections.length > 0 && { corrections: flow.corrections }),
  });
  const [settled] = useDebouncedValue(text, debounceMs);
  const question = useMemo<Question>(() => JSON.parse(settled), [settled]);
  const estimate = useQuery({
    queryKey: ['estimate', settled],
    queryFn: ({ signal }) => ask(newJobs.estimate, question, { signal }),
    enabled: isReady && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const isFresh = settled === text && !estimate.isPlaceholderData;
  return { question, estimate, isFresh };
}

const noLayers: readonly LayerCode[] = [];

/** A dry run of all layers, which says what each would find, chosen or not. */
export function useOutlook(upload: Upload | null): AppEstimate | undefined {
  const { flow } = useFlow();
  const { data: layers } = useLayers();
  const all = layers?.full.selected_layers ?? noLayers;
  const isReady = upload !== null && canIdentify(flow.mapping) && all.length > 0;
  const { estimate } = usePricedChoice(upload, all, isReady);
  return isReady ? estimate.data : undefined;
}

function useSubmit(upload: Upload, question: Question) {
  const { flow, actions } = useFlow();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  // One key per intention: a second click, or a repeat after a lost response, creates no second
  // job. Other corrections are another intention.
  const { corrections } = flow;
  const intention = useMemo(() => ({ corrections, key: crypto.randomUUID() }), [corrections]);
  const { selected_layers: layers, mapping, new_since } = question;
  const options = { ...flow.options, new_since };
  const choices = [
    layers.join(),
    ...Object.values(options),
    Object.entries(mapping ?? {}).join(),
    ...(question.leave_out ?? []),
  ].join(':');
  return useMutation({
    mutationFn: () =>
      ask(newJobs.submit, {
        ...question,
        title: flow.title ?? titleOfFile(upload.file_name),
        idempotency_key: `${intention.key}:${choices}`.slice(0, 255),
        ...options,
      }),
    onSuccess: (job) => {
      void invalidate(client, 'jobs', 'state');
      // Rows that are left out would move the others.
      if (flow.leaveOut.length === 0) handRows(client, upload.upload_id, job.job_id);
      actions.change({ started: { uploadId: upload.upload_id, jobId: job.job_id } });
      navigate(`/jobs/${job.job_id}`);
    },
  });
}

/** Whether the own directory has no people, and whether jobs ask the team's too. */
function useOwnDirectory() {
  const directory = useAppState().data?.directory;
  return { isEmpty: directory?.people === 0, hasTeam: directory?.has_team === true };
}

/** Why the job of an estimate cannot be started now. */
function useObstacle(estimate: AppEstimate | undefined): Obstacle {
  const { flow } = useFlow();
  const { isEmpty, hasTeam } = useOwnDirectory();
  const { data } = useAnswer(['providers'], providerCalls.list);
  const asksServices =
    flow.options.use_providers !== false &&
    data?.providers.some(({ is_on: isOn, origin }) => isOn && origin !== 'built_in') === true;
  if (!estimate) return null;
  if (isEmpty && !asksServices && !hasTeam) return 'empty_directory';
  return estimate.sufficient ? null : 'short_of_credits';
}

interface PriceStepProps {
  facts: string;
  data: AppEstimate | undefined;
  isCounting: boolean;
  failure: { error: Error; onRetry: () => void } | null;
}

function PriceStep({ facts, data, isCounting, failure }: PriceStepProps) {
  const { isEmpty, hasTeam } = useOwnDirectory();
  return (
    <Step title="Price" facts={facts}>
      {failure && <ErrorPanel title="The price could not be calculated" {...failure} />}
      {isCounting && !data && !failure && <Skeleton height={140} />}
      {data && <NewSince />}
      {data && !isEmpty && (
        <Expectation preview={data.preview} rowCount={data.row_count} counting={isCounting} />
      )}
      {data && isEmpty && (
        <Text size="sm">
          {hasTeam
            ? 'Your own directory is empty, so results cannot be estimated.'
            : 'Your directory is empty, so results cannot be estimated. Import a list first.'}
        </Text>
      )}
      {data && hasTeam && <Text size="sm">{teamRowsSentence}</Text>}
      {data && <ProvidersPrice estimate={data} />}
      {data && <InferredEmails />}
    </Step>
  );
}

const trialOf = ({ new_since: _newSince, leave_out: _leaveOut, ...question }: Question) => question;

interface DraftSideProps {
  upload: Upload;
  outlook: AppEstimate | undefined;
}

export function DraftSide({ upload, outlook }: DraftSideProps) {
  const openFiles = useOpenFiles();
  usePaste();
  const { flow } = useFlow();
  const { data: layers } = useLayers();
  const ready = canIdentify(flow.mapping) && !findLayerProblem(flow.selection, layers);
  const { question, estimate, isFresh } = usePricedChoice(upload, flow.selection, ready);
  const submit = useSubmit(upload, question);
  const data = ready ? estimate.data : undefined;
  const { isEmpty, hasTeam } = useOwnDirectory();
  const obstacle = useObstacle(data);
  const rows = countOf(data?.row_count ?? upload.row_count, 'row');
  const waiting = ready ? 'Counting…' : 'Complete the steps above to see the price.';
  const facts = data
    ? `${rows} × ${showCredits(data.price_per_row)} = at most ` +
      `${countCredits(data.credits_needed)}. ${creditsSentence}`
    : waiting;
  const { error } = estimate;
  const failure = error && ready ? { error, onRetry: () => void estimate.refetch() } : null;
  return (
    <section aria-label="Before the start" className={`${side.side} ${side.draft}`}>
      {/* While the file is read again, its steps keep their place and cannot be used. */}
      <div className={side.parts} inert={flow.sentShare !== null}>
        <FileStep hasGrid onFiles={openFiles} />
        <ColumnsStep
          number={null}
          upload={upload}
          templates={<TemplatesButton upload={upload} />}
          lasting={
            <>
              <CheckRows upload={upload} />
              <AppliedTemplate upload={upload} />
            </>
          }
        />
        <LayersStep estimate={data} outlook={outlook} isCounting={ready && !isFresh} />
        <PriceStep facts={facts} data={data} isCounting={ready && !isFresh} failure={failure} />
      </div>
      <ErrorPanel title="The job was not started" error={submit.error} />
      <StartBar
        estimate={data}
        waiting={failure ? 'The price could not be calculated.' : waiting}
        obstacle={obstacle}
        isFresh={isFresh}
        isStarting={submit.isPending || submit.isSuccess}
        onStart={() => submit.mutate()}
        trial={
          // A trial asks the own directory alone.
          (!isEmpty || !hasTeam) && (
            <TryRows
              question={trialOf(question)}
              rowCount={upload.row_count}
              isDisabled={!data || !isFresh || isEmpty}
            />
          )
        }
      />
    </section>
  );
}
