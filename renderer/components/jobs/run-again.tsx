// A dialog that runs rows of an ended job again as a new job, with the price before.
import { Alert, Button, Group, Modal, Radio, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import {
  jobList,
  type RerunOffer,
  type RerunRows,
} from '../../../engine/contract/jobs/job-list.ts';
import { uploads } from '../../../engine/contract/uploads.ts';
import { useAnswer, useCall } from '../../api/live.ts';
import { useFlow } from '../../screens/enrich/flow.tsx';
import { LeaveList } from '../../screens/enrich/leave-list.tsx';
import { ErrorPanel } from '../error-panel.tsx';
import { countCredits, countOf } from '../numbers.ts';
import { Note } from '../text.tsx';
import { jobQueries } from './job-words.ts';

const labels: Record<RerunRows, string> = {
  all: 'All rows',
  failed: 'Failed rows',
  unmatched: 'Rows without a match',
};

const describeImports = (count: number): string =>
  count === 0
    ? 'You have imported nothing since, so expect the same result'
    : `You have imported ${countOf(count, 'list')} since`;

const describePrice = ({
  row_count: count,
  credits_needed: credits,
}: RerunOffer['choices'][number]) =>
  `Run ${countOf(count, 'row')}, at most ${countCredits(credits)}`;

function describeChoice(choice: RerunOffer['choices'][number], offer: RerunOffer): string {
  const price = `At most ${countCredits(choice.credits_needed)}`;
  return choice.rows === 'unmatched'
    ? `${price}. ${describeImports(offer.imports_since)}.`
    : `${price}.`;
}

/** Opens the list of the job as a draft, so that other layers and columns can be chosen. */
function useDraft({ job, offer: { title }, onClose }: RunAgainProps & { offer: RerunOffer }) {
  const { flow, actions } = useFlow();
  const [, navigate] = useLocation();
  const open = useCall(uploads.addOfJob, []);
  const start = () =>
    open.mutate(
      { job_id: job.job_id },
      {
        onSuccess(upload) {
          const { file_name: name, mapping, full_name_column: column } = upload;
          const fullName = column === mapping.first_name ? column : null;
          actions.clear();
          const { selected_layers: selection } = job;
          actions.change({ name, upload, title, mapping, fullName, selection });
          onClose();
          navigate('/');
        },
      },
    );
  const replaces = flow.name !== null && flow.error === null;
  return { start, replaces, isOpening: open.isPending, error: open.error };
}

function RunAgainForm({ job, offer, onClose }: RunAgainProps & { offer: RerunOffer }) {
  const [, navigate] = useLocation();
  const run = useCall(jobList.rerun, jobQueries);
  const [rows, setRows] = useState<RerunRows>(offer.choices[0]?.rows ?? 'all');
  const chosen = offer.choices.find((choice) => choice.rows === rows);
  const start = () =>
    run.mutate(
      { job_id: job.job_id, rows },
      {
        onSuccess({ job_id: id }) {
          onClose();
          navigate(`/jobs/${id}`);
        },
      },
    );
  const draft = useDraft({ job, offer, onClose });
  const days = offer.free_repeat_days;
  return (
    <Stack gap="md">
      <Radio.Group
        label="Rows"
        value={rows}
        onChange={(value) => setRows(value as RerunRows)}
        name="rows"
      >
        <Stack gap="xs" mt={6}>
          {offer.choices.map((choice) => (
            <Radio
              key={choice.rows}
              value={choice.rows}
              label={`${labels[choice.rows]} (${countOf(choice.row_count, 'row')})`}
              description={describeChoice(choice, offer)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Note>
        Starts a new job named “{offer.title}” with the same columns and layers, at today’s prices.
        You pay only for enriched rows
        {days > 0 && `, and people you paid for in the last ${countOf(days, 'day')} are free`}.
      </Note>
      <LeaveList
        label="Change layers…"
        asks={draft.replaces}
        loading={draft.isOpening}
        onLeave={draft.start}
      />
      {offer.problem !== null && <Alert color="yellow">{offer.problem}</Alert>}
      {chosen && !chosen.sufficient && (
        <Alert color="yellow">
          You have {countCredits(offer.available_credits)}. Add credits in Wallet, or choose fewer
          rows.
        </Alert>
      )}
      <ErrorPanel title="The job was not started" error={run.error} />
      <ErrorPanel title="The list was not opened" error={draft.error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="filled"
          loading={run.isPending}
          disabled={!chosen?.sufficient || offer.problem !== null}
          onClick={start}
        >
          {chosen ? describePrice(chosen) : 'Run again'}
        </Button>
      </Group>
    </Stack>
  );
}

interface RunAgainProps {
  readonly job: StatusData;
  readonly onClose: () => void;
}

function Offer({ job, onClose }: RunAgainProps) {
  const { data, error, refetch } = useAnswer(['rerun', job.job_id], jobList.offerRerun, {
    input: { job_id: job.job_id },
    // Prices and imports may have changed since the dialog was last open.
    gcTime: 0,
  });
  if (error)
    return <ErrorPanel title="The price could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={190} aria-label="Loading the price" />;
  return <RunAgainForm job={job} offer={data} onClose={onClose} />;
}

export const RunAgain = ({ opened, ...props }: RunAgainProps & { opened: boolean }) => (
  <Modal opened={opened} onClose={props.onClose} title="Run again">
    <Offer {...props} />
  </Modal>
);
