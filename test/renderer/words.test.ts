// The text of a ledger entry on the wallet's screen.
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../engine/contract/ledger.ts';
import { presentEntry } from '../../renderer/components/words.ts';

const person = '0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f';
const entry = (
  kind: LedgerEntry['kind'],
  subjectKind: LedgerEntry['subject_kind'],
  subjectId: string,
  rest: { reference?: string; name?: string } = {},
) =>
  presentEntry({
    id: 1,
    kind,
    amount: '1.0000',
    at: '2026-11-20T10:00:00.000Z',
    subject_kind: subjectKind,
    subject_id: subjectId,
    reference: rest.reference ?? '',
    hold_id: null,
    key_id: null,
    key_label: null,
    person_name: rest.name ?? null,
  });

test.each([
  [
    'a phone that was looked up names its person',
    entry('charge', 'phone_lookup', person, { name: 'Ada Lovelace' }),
    ['Charged for a phone', 'Ada Lovelace'],
  ],
  [
    'a person who is gone from the directory is named by the id',
    entry('charge', 'email_lookup', person),
    ['Charged for an email', `person ${person}`],
  ],
  [
    'another charge says what it was for',
    entry('charge', 'tool', 'enrich_email', { reference: 'enrich_email of 2 people' }),
    ['Charged', 'enrich_email of 2 people'],
  ],
  [
    'a job is named by its id',
    entry('hold', 'job', '7', { reference: 'job 7' }),
    ['Reserved for a job', 'job 7'],
  ],
  [
    'a pipeline is no job',
    entry('hold', 'pipeline', '7', { reference: 'pipeline 7' }),
    ['Reserved for emails and phones', 'pipeline 7'],
  ],
  [
    'nor is a validation',
    entry('settle', 'email_validation', '7', { reference: 'email validation 7' }),
    ['Charged for an email check', 'email validation 7'],
  ],
  [
    'a grant says how it came',
    entry('grant', 'grant', 'first grant', { reference: 'first grant' }),
    ['Credits added', 'Starting balance'],
  ],
])('%s', (_title, { what, about }, words) => {
  expect([what, about]).toEqual(words);
});
