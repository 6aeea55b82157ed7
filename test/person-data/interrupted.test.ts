// A deletion that ends at any step is continued at the next start, and done once.
import { expect, test } from 'vitest';
import type { Environment } from '../../engine/app/environment.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { createPersonData } from '../../engine/person-data/person-data.ts';
import { openApiDesk } from '../http/open-api-desk.ts';
import { findBytes } from './person-desk.ts';

/** What a deletion calls, in this order; some again if something was added meanwhile. */
const steps = [
  'planDeletion',
  'erasePerson',
  'erasePeople',
  'noteErased',
  'scrubStore',
  'endDeletion',
] as const;

class Killed extends Error {}

/** The environment of an engine that ends before or after one of the steps. */
function endAt(environment: Environment, step: string, when: 'before' | 'after'): Environment {
  const wrap = <Calls extends object>(calls: Calls): Calls =>
    new Proxy(calls, {
      get(target, name) {
        const call = Reflect.get(target, name) as (command: unknown) => Promise<unknown>;
        if (name !== step) return call;
        return async (command: unknown) => {
          if (when === 'after') await call(command);
          throw new Killed();
        };
      },
    });
  return { ...environment, writer: wrap(environment.writer), reader: wrap(environment.reader) };
}

interface Kill {
  readonly step: (typeof steps)[number];
  readonly when: 'before' | 'after';
}
const allKills: readonly Kill[] = steps.flatMap((step) =>
  (['before', 'after'] as const).map((when) => ({ step, when })),
);
const person = (at: number) => ({
  first: `Firstname${'abcdefghijklm'[at]}`,
  last: 'Shared',
  email: `person.${'abcdefghijklm'[at]}@engines.example`,
});

async function expectContinued(kills: readonly Kill[]): Promise<void> {
  const people = kills.map((_kill, at) => person(at));
  const csv = [
    'id,first name,last name,company,company domain,email',
    ...people.map(
      ({ first, last, email }, at) => `${at},${first},${last},Engines,engines.example,${email}`,
    ),
    '',
  ].join('\n');
  const desk = await openApiDesk({}, { people: csv });
  const { environment } = desk;
  const rows = people.map(({ email, first }) => ({ email, title: `${first} of the works` }));
  const json = { selected_layers: ['L1'], rows };
  const jobId = (await desk.call('POST', 'submit/', { json })).data.job_id;
  await environment.finish(jobId);
  const open = (one: Environment) =>
    createPersonData({
      openAll: async () => [one],
      liveDatabase: environment.database,
      now: () => new Date(),
    });
  const by = { author: 'tests', source: 'app', suppress: false } as const;
  for (const [at, { step, when }] of kills.entries()) {
    const { email, first } = people[at] ?? person(0);
    const killed = open(endAt(environment, step, when)).deletePerson({ value: email }, by);
    await expect(killed, `${when} ${step}`).rejects.toThrow(Killed);
    await open(environment).continueDeletions();
    await open(environment).continueDeletions();
    // Nothing was recorded yet, so nothing is continued: the person asks again.
    if (step === 'planDeletion' && when === 'before')
      await open(environment).deletePerson({ value: email }, by);
    expect(findBytes(environment.folder, [email, first]), `${when} ${step}`).toEqual([]);
  }
  const receipts = (await desk.app('POST', 'person-data/receipts', { json: {} })).data;
  expect(receipts).toHaveLength(kills.length);
  for (const receipt of receipts) expect(receipt).toMatchObject({ state: 'done', total: 4 });
  expect(verifyLedger(environment.database)).toEqual([]);
}

test('a deletion that ends between its steps is continued, and done once', async () => {
  await expectContinued([
    { step: 'erasePerson', when: 'after' },
    { step: 'scrubStore', when: 'before' },
  ]);
});

test('a deletion that ends before or after any step is continued, and done once', {
  tags: ['full'],
}, async () => {
  await expectContinued(allKills);
});
