// The last step of a new pipeline: title, maximum price, and the button that starts it.
import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { InputOf } from '../../../engine/contract/endpoints.ts';
import { titleCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import {
  type PipelineEstimate,
  pipelines,
} from '../../../engine/contract/pipelines/app-pipelines.ts';
import { pipelineKinds } from '../../../engine/contract/pipelines/pipeline.ts';
import { ask } from '../../api/client.ts';
import { useAppState, useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import {
  countCredits,
  countOf,
  showCount,
  showCredits,
  unitsOf,
} from '../../components/numbers.ts';
import { PriceSums } from '../../components/price-sums.tsx';
import { StickyFoot } from '../../components/sticky-foot.tsx';
import { Note, ScreenLink } from '../../components/text.tsx';
import { countCreditsAbout } from '../enrich/price/about.ts';
import { Step } from '../enrich/step.tsx';
import { useDraft } from './draft.tsx';
import classes from './pipelines.module.css';

const debounceMs = 150;

/** The text once it has rested; the first is ready at once: nobody has typed yet. */
export function useSettledText(text: string, isReady: boolean): string {
  const [rested] = useDebouncedValue(text, debounceMs);
  const [first, setFirst] = useState<string | null>(isReady ? text : null);
  if (isReady && first === null) setFirst(text);
  return text === first ? text : rested;
}

type Question = InputOf<typeof pipelines.estimate>;

export type Subject = Pick<Question, 'filters' | 'uuids' | 'upload_id' | 'mapping'>;

const priceWords = { email: 'Email', phone: 'Phone', email_validation: 'Verify emails' } as const;

function Sums({ estimate, hasBudget }: { estimate: PipelineEstimate; hasBudget: boolean }) {
  return (
    <PriceSums
      parts={estimate.breakdown.map(({ code, ...part }) => ({
        name: priceWords[code],
        ...part,
      }))}
      count={estimate.contacts}
      most={estimate.credits_most}
      available={hasBudget ? estimate.available_credits : null}
    />
  );
}

function Expectation({ estimate: { contacts, preview } }: { estimate: PipelineEstimate }) {
  const isWhole = preview.sampled === contacts;
  const ofThese = isWhole ? '' : ' of the sample';
  const owned = countOf(preview.owned_values, `value${ofThese} is`, `values${ofThese} are`);
  return (
    <Stack gap="xs">
      <Text>
        Your directory knows <strong>{showCount(preview.matched)}</strong> of{' '}
        {isWhole ? 'them' : `a sample of ${showCount(preview.sampled)}`}:{' '}
        {showCount(preview.with_email)} with an email, {showCount(preview.with_phone)} with a phone.
      </Text>
      <Text>
        Expected: {isWhole ? '' : 'about '}
        <strong className="numbers">
          {countCreditsAbout(Number(preview.expected_credits), isWhole)}
        </strong>
        .{preview.owned_values > 0 && ` ${owned} yours already.`}
      </Text>
      {preview.matched === 0 && (
        <Note>
          None of these contacts are in your directory, so no email or phone would be shown.
        </Note>
      )}
    </Stack>
  );
}

function Shortfall({ estimate }: { estimate: PipelineEstimate }) {
  const available = showCredits(estimate.available_credits);
  return (
    <Text size="sm" role="status" maw={560}>
      {unitsOf(estimate.available_credits) === 0
        ? 'The wallet is empty: nothing new can be shown. '
        : `The list spends at most the ${available} available credits. Values beyond ` +
          'them stay locked and cost nothing. '}
      <ScreenLink underline="always" href="/wallet">
        Add credits in the wallet
      </ScreenLink>
      ; your choices on this page are kept.
    </Text>
  );
}

/** The most that the list spends. Only a balance that is not sufficient limits it. */
const mostSpent = (estimate: PipelineEstimate): string =>
  estimate.sufficient ? estimate.credits_most : estimate.available_credits;

/** The price after a pause, and the start of what was priced, whatever changes meanwhile. */
function usePricedDraft(subject: Subject | null) {
  const { draft } = useDraft();
  const unlock = pipelineKinds.filter((kind) => draft.unlock[kind]);
  const isReady = subject !== null && unlock.length > 0;
  const text = JSON.stringify({ ...subject, unlock, verify_emails: draft.verify });
  const settled = useSettledText(text, isReady);
  const question = useMemo<Question>(() => JSON.parse(settled), [settled]);
  const estimate = useQuery({
    queryKey: ['estimate', 'pipeline', settled],
    queryFn: ({ signal }) => ask(pipelines.estimate, question, { signal }),
    enabled: isReady && settled === text,
    placeholderData: keepPreviousData,
  });
  const isFresh = settled === text && !estimate.isPlaceholderData;
  return { isReady, isFresh, question, estimate };
}

/** A short hash of the text: a changed draft is another intention. */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

function useStart(question: Question, title: string) {
  const { clear } = useDraft();
  const [, navigate] = useLocation();
  // One key per intention: a second click, or a repeat after a lost response, creates no second
  // pipeline.
  const [key] = useState(() => crypto.randomUUID());
  const body = { ...question, title: title.trim() };
  const start = useChange(() => {
    const idempotencyKey = `${key}:${hashText(JSON.stringify(body))}`;
    return ask(pipelines.startHere, body, { idempotencyKey });
  }, ['pipelines', 'state', 'wallet']);
  const submit = () =>
    start.mutate(undefined, {
      onSuccess: ({ pipeline_id: id }) => {
        navigate(`/directory/contacts/${id}`);
        clear();
      },
    });
  return { start, submit };
}

/** True if there are no contacts, or nothing can be paid. */
const isFutile = (estimate: PipelineEstimate): boolean =>
  estimate.contacts === 0 ||
  (unitsOf(mostSpent(estimate)) === 0 && unitsOf(estimate.preview.expected_credits) > 0);

/** The estimate in words, or why there is none yet. */
function describePrice(
  estimate: PipelineEstimate | undefined,
  { isReady, whenNobody, hasBudget }: { isReady: boolean; whenNobody: string; hasBudget: boolean },
): string {
  if (!estimate) return isReady ? 'Counting …' : whenNobody;
  const available = hasBudget ? `, of ${showCredits(estimate.available_credits)} available` : '';
  return (
    `At most ${countCredits(estimate.credits_most)}${available}. ` +
    'You pay only for contacts with a result.'
  );
}

function describeStart(estimate: PipelineEstimate | undefined): string {
  if (!estimate) return 'Show emails and phones';
  const most = countCredits(mostSpent(estimate));
  return `Show ${countOf(estimate.contacts, 'contact')}, at most ${most}`;
}

interface PriceStepProps {
  number: number;
  subject: Subject | null;
  proposal: string;
  whenNobody: string;
}

/** @param subject null while no contacts are chosen @param proposal the default title */
export function PriceStep({ number, subject, proposal, whenNobody }: PriceStepProps) {
  const { draft, change } = useDraft();
  const title = draft.title ?? proposal.slice(0, titleCharactersMax);
  const { isReady, isFresh, question, estimate } = usePricedDraft(subject);
  const { start, submit } = useStart(question, title);
  const data = isReady ? estimate.data : undefined;
  const hasBudget = useAppState().data?.account.has_budget === true;
  const isShort = data?.sufficient === false;
  return (
    <>
      <Step
        number={number}
        title="Price"
        facts={describePrice(data, { isReady, whenNobody, hasBudget })}
      >
        <TextInput
          label="Name"
          maw={480}
          maxLength={titleCharactersMax}
          value={title}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        {estimate.error && isReady && (
          <ErrorPanel
            title="The price could not be calculated"
            error={estimate.error}
            onRetry={estimate.refetch}
          />
        )}
        {isReady && !data && !estimate.error && <Skeleton height={120} />}
        {data && (
          <div className={classes.price}>
            <Sums estimate={data} hasBudget={hasBudget} />
            <Expectation estimate={data} />
          </div>
        )}
      </Step>
      <StickyFoot
        isOfPage
        above={
          <>
            <ErrorPanel title="The list was not started" error={start.error} />
            {isShort && <Shortfall estimate={data} />}
          </>
        }
      >
        <Button
          variant="filled"
          size="md"
          disabled={!isFresh || data === undefined || isFutile(data)}
          loading={start.isPending || start.isSuccess}
          onClick={submit}
        >
          {describeStart(data)}
        </Button>
      </StickyFoot>
    </>
  );
}
