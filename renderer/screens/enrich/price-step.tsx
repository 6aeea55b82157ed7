/** Step 4: the exact price, the expected result, and the button that spends it. */
import { Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { creditUnits } from '../../../engine/contract/credits.ts';
import type { EstimateData } from '../../../engine/contract/jobs/job.ts';
import type { Upload } from '../../../engine/contract/uploads.ts';
import { estimateUpload, submitUpload } from '../../api/engine.ts';
import { useAppState, useLayers } from '../../api/live.ts';
import { invalidate } from '../../api/query-cache.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import {
  countCredits,
  countOf,
  countUnits,
  showCredits,
  unitsOf,
} from '../../components/numbers.ts';
import { PriceSums } from '../../components/price-sums.tsx';
import { canIdentify } from './columns-step.tsx';
import classes from './enrich.module.css';
import { Expectation } from './expectation.tsx';
import { useFlow } from './flow.tsx';
import { InferredEmails } from './inferred-emails.tsx';
import { findLayerProblem } from './layers-step.tsx';
import { NewSince } from './new-since.tsx';
import { ProvidersPrice } from './providers-price.tsx';
import { Step } from './step.tsx';

/** Delay after the last change before the price is requested. */
const debounceMs = 150;
const heldSentence =
  'Held now. Only enriched rows are charged; the rest is released when the job ends.';

function Sums({ estimate }: { estimate: EstimateData }) {
  return (
    <PriceSums
      parts={estimate.breakdown.map(({ code, label, ...part }) => ({
        name: `${code} ${label}`,
        ...part,
      }))}
      count={estimate.row_count}
      most={estimate.credits_needed}
      available={estimate.available_credits}
    />
  );
}

/** The exact shortfall and a link to add credits. */
function Shortfall({ estimate }: { estimate: EstimateData }) {
  const needed = unitsOf(estimate.credits_needed);
  const missing = creditUnits(needed - unitsOf(estimate.available_credits));
  return (
    <Text size="sm" c="var(--desk-failed)" role="alert">
      {countUnits(missing)} are missing.{' '}
      <Anchor component={Link} underline="always" href="/wallet" size="sm">
        Add them in the wallet
      </Anchor>
      , select fewer layers, or split the file. Your choices on this page are kept.
    </Text>
  );
}

/**
 * The price of the current choice, requested after a pause, and the job to start. The job uses what
 * was priced, even if the choice changes meanwhile.
 */
function usePricedChoice(upload: Upload, isReady: boolean) {
  const { flow } = useFlow();
  const text = JSON.stringify({
    upload_id: upload.upload_id,
    selected_layers: flow.selection,
    mapping: flow.mapping,
    ...(flow.newSince !== null && { new_since: flow.newSince }),
    ...(flow.leaveOut.length > 0 && { leave_out: flow.leaveOut }),
  });
  const [settled] = useDebouncedValue(text, debounceMs);
  const question = useMemo<Parameters<typeof estimateUpload>[0]>(
    () => JSON.parse(settled),
    [settled],
  );
  const estimate = useQuery({
    queryKey: ['estimate', settled],
    queryFn: ({ signal }) => estimateUpload(question, signal),
    enabled: isReady && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const isFresh = settled === text && !estimate.isPlaceholderData;
  return { question, estimate, isFresh };
}

function useSubmit(upload: Upload, question: Parameters<typeof estimateUpload>[0]) {
  const { flow, actions } = useFlow();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  // One key per intention: a second click, or a repeat after a lost response, creates no second
  // job.
  const [key] = useState(() => crypto.randomUUID());
  const { selected_layers: layers, mapping, new_since: newSince = '' } = question;
  const { usesProviders, waitsOffline } = flow;
  const choices = [
    ...[layers.join(), newSince, Object.entries(mapping ?? {}).join()],
    ...(question.leave_out ?? []),
    ...(usesProviders ? [] : ['no providers']),
    ...(waitsOffline ? [] : ['leave out']),
  ].join(':');
  return useMutation({
    mutationFn: () =>
      submitUpload({
        ...question,
        title: upload.file_name.replace(/\.[a-z]{2,5}$/i, '').slice(0, 200),
        idempotency_key: `${key}:${choices}`.slice(0, 255),
        ...(!usesProviders && { use_providers: false }),
        ...(!waitsOffline && { when_offline: 'leave_out' }),
      }),
    onSuccess: (job) => {
      void invalidate(client, 'jobs', 'state');
      navigate(`/jobs/${job.job_id}`);
      actions.clear();
    },
  });
}

export function PriceStep({ upload }: { upload: Upload }) {
  const { flow } = useFlow();
  const { data: layers } = useLayers();
  const { data: state } = useAppState();
  const ready = canIdentify(flow.mapping) && !findLayerProblem(flow.selection, layers);
  const { question, estimate, isFresh } = usePricedChoice(upload, ready);
  const submit = useSubmit(upload, question);
  const data = ready ? estimate.data : undefined;
  const rows = countOf(data?.row_count ?? upload.row_count, 'row');
  const most = data ? countCredits(data.credits_needed) : '';
  return (
    <Step
      number={4}
      title="Price"
      facts={
        data
          ? `${rows} × ${showCredits(data.price_per_row)} = at most ${most}. ${heldSentence}`
          : ready
            ? 'Counting …'
            : 'Complete the steps above to see the exact price.'
      }
    >
      {estimate.error && ready && (
        <ErrorPanel
          title="The price could not be calculated"
          error={estimate.error}
          onRetry={() => void estimate.refetch()}
        />
      )}
      {ready && !data && !estimate.error && <Skeleton height={140} />}
      {data && (
        <div className={classes.price}>
          <Sums estimate={data} />
          <Expectation
            preview={data.preview}
            rowCount={data.row_count}
            emptyDirectory={state?.directory.people === 0}
            counting={!isFresh}
          />
        </div>
      )}
      {data && <ProvidersPrice estimate={data} />}
      {data && <InferredEmails />}
      {data && <NewSince />}
      {submit.error && <ErrorPanel title="The job was not started" error={submit.error} />}
      {data && (
        <Group justify="space-between" gap="md">
          <div>{!data.sufficient && <Shortfall estimate={data} />}</div>
          <Button
            size="md"
            disabled={!isFresh || !data.sufficient}
            loading={submit.isPending || submit.isSuccess}
            onClick={() => submit.mutate()}
          >
            Enrich {rows}, at most {most}
          </Button>
        </Group>
      )}
    </Step>
  );
}
