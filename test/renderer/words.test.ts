/** What a ledger entry did, in the words of the wallet's screen. */
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../engine/contract/ledger.ts';
import { presentEntry } from '../../renderer/components/words.ts';

const person = 'person 0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f';
const entry = (kind: LedgerEntry['kind'], reference: string, name: string | null = null) =>
  presentEntry({
    ...{ id: 1, kind, reference, amount: '1.0000', at: '2026-11-20T10:00:00.000Z' },
    ...{ hold_id: null, key_id: null, key_label: null, person_name: name },
  });

test.each([
  [
    'a phone that was looked up names its person',
    entry('charge', `phone lookup of ${person}`, 'Ada Lovelace'),
    ['Charged for a phone', 'Ada Lovelace'],
  ],
  [
    'a person who is gone from the directory is named by the id',
    entry('charge', `email lookup of ${person}`),
    ['Charged for an email', person],
  ],
  ['another charge says what it was for', entry('charge', 'tools'), ['Charged', 'tools']],
  ['a job is named by its id', entry('hold', 'job 7'), ['Held for a job', 'job 7']],
  ['a pipeline is no job', entry('hold', 'pipeline 7'), ['Held for a pipeline', 'pipeline 7']],
  [
    'nor is a validation',
    entry('settle', 'email validation 7'),
    ['Charged for a validation of emails', 'email validation 7'],
  ],
  ['a grant says how it came', entry('grant', 'first grant'), ['Granted', 'first grant']],
])('%s', (_title, { what, about }, words) => {
  expect([what, about]).toEqual(words);
});
