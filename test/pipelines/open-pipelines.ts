// Pipelines on real files in the test's own process: a directory of a few people, a validator with
// known verdicts, a configurable upstream, and a clock at whose reads the process can die.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { createAccount, grantCredits } from '../../engine/accounts/accounts.ts';
import { type CreditUnits, creditUnits, unitsPerCredit } from '../../engine/contract/credits.ts';
import { ProviderError } from '../../engine/contract/provider.ts';
import type { EmailVerdict } from '../../engine/contract/validations.ts';
import { eventKinds } from '../../engine/contract/webhooks.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import { getPipeline, type PipelineRow } from '../../engine/pipelines/pipeline.table.ts';
import { readPipelineContacts } from '../../engine/pipelines/pipeline-contact.table.ts';
import type { PipelineDeps } from '../../engine/pipelines/pipeline-deps.ts';
import { stepPipeline } from '../../engine/pipelines/run-pipeline.ts';
import { type PipelineCommand, startPipeline } from '../../engine/pipelines/start-pipeline.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openDirectoryProvider } from '../../engine/providers/directory-provider.ts';
import type { Waterfall } from '../../engine/providers/waterfall/waterfall-run.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { now, openJobFixture } from '../jobs/job-fixture.ts';
import {
  found,
  nothing,
  openTestWaterfalls,
  playProvider,
  type Say,
} from '../providers/play-provider.ts';

/** Whole credits in units. */
export const credits = (count: number): CreditUnits => creditUnits(count * unitsPerCredit);
/** The subject of a charge for values that a tool unlocked. */
export const someTool = { kind: 'tool', id: 'enrich_contact' } as const;

/** A person of the directory; their number decides what is known. */
export interface ListedPerson {
  readonly uuid: string;
  readonly email: string | null;
  readonly phone: string | null;
}

const uuidOf = (at: number) => `a0000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
/** Of every four people the first has both, then email only, phone only, neither. */
const people: readonly ListedPerson[] = Array.from({ length: 12 }, (_, at) => ({
  uuid: uuidOf(at),
  email: at % 4 < 2 ? `person${at}@listed.example` : null,
  phone: at % 2 === 0 ? `+4179100${String(at).padStart(4, '0')}` : null,
}));
export const hidden = uuidOf(99);

/** The upstream: none, one that knows `up…@`, one that refuses, or one that never answers. */
export type UpstreamMood = 'none' | 'knows' | 'refuses' | 'is down';

const answerUpstream =
  (mood: UpstreamMood): Say =>
  ({ email = '' }) => {
    if (mood === 'refuses') throw new ProviderError('quota', 'No credits upstream.');
    if (mood === 'is down') throw new ProviderError('unavailable', 'Nobody answers.');
    return email.startsWith('up') ? found({ email }, { confidence: 1 }) : nothing;
  };

/** Every second address exists; the others are unknown. */
const judgeEmail = (email: string): EmailVerdict =>
  /[02468]@/.test(email)
    ? { email, status: 'valid', reason: 'verified_by_source' }
    : { email, status: 'unknown', reason: 'domain_accepts_mail' };

async function importListed({ directory, folder }: Awaited<ReturnType<typeof openJobFixture>>) {
  const path = join(folder, 'people.csv');
  const lines = people.map(({ uuid, email, phone }, at) =>
    [uuid, `First${at}`, `Last${at}`, 'Listed', email ?? '', phone ?? '', ''].join(','),
  );
  const shy = `${hidden},Eve,Hidden,Listed,eve@listed.example,+41791009999,yes`;
  const header = 'id,first_name,last_name,company,email,mobile,suppressed';
  writeFileSync(path, [header, ...lines, shy, ''].join('\n'));
  await importDirectory(directory, { peoplePath: path, source: 'people.csv' });
  return openDirectoryProvider(buildIndex(directory).buffer);
}

function openMoody(database: WritableDatabase, mood: UpstreamMood): Waterfall | undefined {
  const { provider } = playProvider(answerUpstream(mood), { rowsMax: 150 });
  const scope = { jobId: null, wanted: ['work_email', 'phone'] as const };
  return openTestWaterfalls(database, [provider]).open(scope) ?? undefined;
}

function writeTable(dir: string, emails: readonly string[]): PipelineCommand['subject'] {
  const rows = emails.map((email) => [email]);
  const { rowCount } = writeRowsTable({ headers: ['email'], rows, targetDir: dir });
  return { source: 'contacts', input: { dir, rowCount }, mapping: { email: 0 } };
}

const usual: Omit<PipelineCommand, 'accountId'> = {
  keyId: null,
  title: '',
  kinds: ['email', 'phone'],
  verifyEmails: false,
  idempotency: null,
  fingerprint: '',
  subject: { source: 'uuids', uuids: people.map(({ uuid }) => uuid) },
};

/** Adds a webhook of an account for every event. */
export const addWebhook = (database: WritableDatabase, accountId: number): unknown =>
  database
    .prepare(
      `INSERT INTO webhook (id, account_id, url, events, secret, created_at)
       VALUES ('w', ?, 'https://hooks.example', ?, x'00', ?)`,
    )
    .run(accountId, JSON.stringify(eventKinds), now().toISOString());

/** Opens an environment with pipelines, removed with the test. */
export async function openPipelines() {
  const fixture = await openJobFixture();
  const { database, folder } = fixture;
  const provider = await importListed(fixture);
  let judged: string[] = [];
  let tables = 0;
  const createDeps = (mood: UpstreamMood = 'none', clock: () => Date = now): PipelineDeps => ({
    database,
    folder,
    now: clock,
    waterfall: mood === 'none' ? undefined : openMoody(database, mood),
    validator: {
      async validateEmails(emails) {
        judged.push(...emails);
        return { verdicts: emails.map(judgeEmail), findings: [] };
      },
      stop: () => undefined,
    },
    match: async (bytes, mapping, threshold) => ({
      batch: provider.answer(bytes, mapping, threshold),
    }),
    readGeneration: () => provider.generation,
    whenGeneration: async () => undefined,
    isStopping: () => false,
    readTeamPeople: async () => [],
  });
  return {
    ...fixture,
    people,
    createDeps,
    start(accountId: number, command: Partial<PipelineCommand>): PipelineRow {
      const order = { ...usual, ...command, accountId };
      const { data } = startPipeline(database, folder, order, now());
      return getPipeline(database, accountId, data.pipeline_id)!;
    },
    /** An account with a budget. */
    openAccount(count: number): number {
      const { id } = createAccount(database, 'Acme', now());
      updateAccount(database, id, { hasBudget: true });
      if (count > 0)
        grantCredits(
          database,
          { accountId: id, units: credits(count), subject: { kind: 'grant', id: 'test' } },
          now(),
        );
      return id;
    },
    table(emails: readonly string[]): PipelineCommand['subject'] {
      tables += 1;
      return writeTable(join(folder, `list-${tables}`), emails);
    },
    read: (pipeline: PipelineRow) => getPipeline(database, pipeline.accountId, pipeline.uuid)!,
    contacts: (pipeline: PipelineRow) =>
      readPipelineContacts(database, pipeline.id, { offset: 0, limit: pipeline.total }),
    /** The addresses validated since the last call. */
    takeJudged(): string[] {
      const taken = judged;
      judged = [];
      return taken;
    },
  };
}

export type Pipelines = Awaited<ReturnType<typeof openPipelines>>;

export async function runToEnd(
  pipelines: Pipelines,
  pipeline: PipelineRow,
  mood: UpstreamMood = 'none',
): Promise<PipelineRow> {
  const deps = pipelines.createDeps(mood);
  while ((await stepPipeline(deps, pipeline.id)) === 'open');
  return pipelines.read(pipeline);
}
