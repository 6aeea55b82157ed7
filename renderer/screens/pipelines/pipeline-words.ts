// Labels of pipelines: steps, progress and results.
import type {
  Pipeline,
  PipelineContact,
  PipelineKind,
} from '../../../engine/contract/pipelines/pipeline.ts';
import type {
  PipelineProgress,
  PipelineStep,
} from '../../../engine/contract/pipelines/pipeline-progress.ts';
import { countCredits, countOf, showCount, showDuration } from '../../components/numbers.ts';
import type { ChipStatus } from '../../components/status-chip.tsx';
import { wordOfReason } from '../../components/words.ts';
import type { Draft } from './draft.tsx';

export const stepWords: Record<PipelineStep, { name: string; now: string }> = {
  look_up: { name: 'Look up', now: 'Looking up' },
  unlock: { name: 'Show', now: 'Reading values' },
  verify: { name: 'Verify', now: 'Verifying' },
};

export const kindWords: Record<PipelineKind, string> = { email: 'emails', phone: 'phones' };

/** "emails" → "Emails". */
export const capital = (words: string): string =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

export const isVerified = ({ steps }: Pick<PipelineProgress, 'steps'>): boolean =>
  steps.some(({ step }) => step === 'verify');

/** "Emails and phones, verified". */
export function describeWish(progress: Pick<PipelineProgress, 'unlock' | 'steps'>): string {
  const words = progress.unlock.map((kind) => kindWords[kind]).join(' and ');
  const verified = isVerified(progress) ? ', verified' : '';
  return `${capital(words)}${verified}`;
}

const wholeDirectory = { own: 'the directory', team: 'the team’s directory' } as const;

/** The default title of a pipeline of a search: its text and the values of its filters. */
export function proposeTitle({
  text,
  chosen,
  picked,
  directory,
}: Pick<Draft, 'text' | 'chosen' | 'picked' | 'directory'>) {
  const values = [text, ...Object.values(chosen)].flatMap((value) => {
    if (typeof value === 'boolean') return [];
    return typeof value === 'string' ? value.trim() || [] : [...value];
  });
  const named = values.join(', ');
  if (named !== '') return named;
  const whose = wholeDirectory[directory];
  return picked
    ? `${countOf(picked.length, 'person', 'people')} of ${whose}`
    : `Everyone in ${whose}`;
}

const unlockReasons: Readonly<Record<string, string>> = {
  no_value: 'nothing on file',
  insufficient_credits: 'not enough credits',
  spending_cap_reached: 'key limit reached',
};

/** Why values of a contact are missing, in a few words. */
export const wordOfUnlock = (reason: string): string =>
  unlockReasons[reason] ?? wordOfReason(reason);

const contactWords = { unlocked: 'shown', locked: 'hidden', failed: 'failed' } as const;

/** The chip of a contact. A known person without the value has nothing on file. */
export function chipOfContact({ status, reason }: Pick<PipelineContact, 'status' | 'reason'>): {
  status: ChipStatus;
  label: string;
} {
  if (status === 'not_found' && reason === 'no_value')
    return { status: 'no_match', label: 'nothing on file' };
  if (status === 'not_found') return { status: 'no_match', label: 'not found' };
  return { status, label: contactWords[status] };
}

export function describeEnd(pipeline: Pipeline, withVerification: boolean): string {
  const { started_at: start, completed_at: end } = pipeline;
  const seconds = start && end ? (Date.parse(end) - Date.parse(start)) / 1_000 : null;
  const parts = [
    `${showCount(pipeline.matched)} of ${countOf(pipeline.total, 'contact')} known`,
    `${showCount(pipeline.unlocked)} shown`,
    ...(withVerification ? [`${countOf(pipeline.verified, 'email')} verified`] : []),
  ];
  const time = seconds === null ? '' : ` in ${showDuration(Math.max(1, seconds))}`;
  return `${parts.join(', ')}${time}. ${countCredits(pipeline.credits_charged)} charged.`;
}

/** The progress of a step, 0 to 1. */
export const shareOf = ({ done, total }: { readonly done: number; readonly total: number }) =>
  total === 0 ? 1 : done / total;
