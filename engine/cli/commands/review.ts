// `desk review`: writes the rows of a job that wait for a decision, and applies the decisions.
import { creditUnits, formatCredits, parseCredits } from '../../contract/credits.ts';
import {
  type Pick,
  type ReviewPage,
  type ReviewRow,
  review as reviewCalls,
} from '../../contract/jobs/review.ts';
import { reviewPageMax, reviewPicksMax } from '../../contract/limits/jobs.ts';
import {
  type Call,
  type Command,
  type Outcome,
  quoteWord,
  readOption,
  repeatOptions,
} from '../kit/command.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatAmount, formatCount, formatCreditCount } from '../kit/format-text.ts';
import { readFormat, readInPath, readOutPath } from '../kit/read-paths.ts';
import { badUsage } from '../kit/refusal.ts';
import { readReviewSheet, writeReviewSheet } from '../kit/review-sheet.ts';

async function* readWaiting(engine: EngineClient, jobId: string): AsyncGenerator<ReviewRow[]> {
  let after: number | undefined;
  do {
    const query = { job_id: jobId, limit: reviewPageMax, after };
    const page: ReviewPage = await engine.ask(reviewCalls.list, query);
    yield page.results;
    after = page.next === null ? undefined : page.results.at(-1)?.row_index;
  } while (after !== undefined);
}

async function writeSheet(call: Call, jobId: string): Promise<Outcome> {
  const outPath = readOutPath(call);
  readFormat(outPath, 'out', ['csv']);
  const engine = await call.openEngine();
  const waiting = await writeReviewSheet(outPath, readWaiting(engine, jobId));
  const next = `desk review ${jobId} --picks ${quoteWord(outPath)}${repeatOptions(call)}`;
  return {
    json: { waiting, out: outPath },
    lines: [
      ...(waiting > 0 ? [`Fill in the column Pick, then run "${next}".`] : []),
      `Rows that wait for a decision: ${formatCount(waiting)}: ${outPath}`,
    ],
  };
}

async function applySheet(call: Call, jobId: string, picks: readonly Pick[]): Promise<Outcome> {
  const engine = await call.openEngine();
  const sums = { applied: 0, chargedUnits: 0, refundedUnits: 0, remaining: 0 };
  for (let from = 0; from < picks.length; from += reviewPicksMax) {
    const part = picks.slice(from, from + reviewPicksMax);
    const answer = await engine.ask(reviewCalls.decide, { job_id: jobId, picks: part });
    sums.applied += answer.applied;
    sums.chargedUnits += parseCredits(answer.credits_charged) ?? 0;
    sums.refundedUnits += parseCredits(answer.credits_refunded) ?? 0;
    sums.remaining = answer.remaining;
  }
  const charged = formatCredits(creditUnits(sums.chargedUnits));
  const refunded = formatCredits(creditUnits(sums.refundedUnits));
  return {
    json: {
      applied: sums.applied,
      credits_charged: charged,
      credits_refunded: refunded,
      remaining: sums.remaining,
    },
    lines: [
      ...(sums.applied > 0
        ? [
            `Write the file again: desk enrich --resume ${jobId} --out FILE` +
              `${repeatOptions(call)}, with the other options that you gave first.`,
          ]
        : []),
      `Decisions applied: ${formatCount(sums.applied)}; ${formatCreditCount(charged)} ` +
        `charged, ${formatAmount(refunded)} returned. ` +
        `Rows that still wait: ${formatCount(sums.remaining)}.`,
    ],
  };
}

async function runReview(call: Call): Promise<Outcome> {
  const jobId = call.positionals[0] ?? '';
  const picksPath = readOption(call, 'picks');
  if ((picksPath === undefined) === (readOption(call, 'out') === undefined))
    throw badUsage('Give either --out FILE, to write the rows, or --picks FILE, to apply them.');
  if (picksPath === undefined) return writeSheet(call, jobId);
  const picks = await readReviewSheet(readInPath(call, picksPath));
  if (picks.length === 0) throw badUsage('No row of the file has a pick. Fill in the column Pick.');
  return applySheet(call, jobId, picks);
}

export const review: Command = {
  name: 'review',
  summary: 'Decide about the rows of a job that matching left open',
  args: '<JOB_ID>',
  options: {
    out: { value: 'FILE', summary: 'the CSV of rows that wait, with their candidates' },
    picks: { value: 'FILE', summary: 'the same CSV with the column Pick filled in' },
  },
  notes: ['A pick is charged as an enriched row. "none" and "undo" return the charge.'],
  run: runReview,
};
