/** The words for codes: reasons, fields, layer outcomes, entries. Said the same way everywhere. */

import type { MatchField, Provenance, Reason } from '../../engine/contract/jobs/job.ts';
import type { LayerStatus } from '../../engine/contract/jobs/layers.ts';
import type { RowInputField } from '../../engine/contract/jobs/row-input.ts';
import type { LedgerEntry } from '../../engine/contract/ledger.ts';

/** A reason in two words, and whole. */
export const reasonWords: Record<Reason, { short: string; sentence: string }> = {
  '': { short: '', sentence: '' },
  no_match: {
    short: 'no match',
    sentence: 'Nobody in the directory fits this row well enough to be sure.',
  },
  ambiguous: {
    short: 'ambiguous',
    sentence: 'Several people fit this row equally well, so that none was chosen.',
  },
  too_little_data: {
    short: 'too little data',
    sentence: 'The row has neither an email, nor a profile URL, nor a name to go by.',
  },
  suppressed: {
    short: 'suppressed',
    sentence: 'This person is on the suppression list.',
  },
  source_error: {
    short: 'source error',
    sentence: 'The source failed on this row. Run the failed rows again.',
  },
};

/** The reason's word for any code that the engine may send. */
export const wordOfReason = (code: string): string =>
  reasonWords[code as Reason]?.short ?? code.replaceAll('_', ' ');

/** The label of a row field. */
export const fieldLabels: Record<RowInputField, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  company_name: 'Company',
  email: 'Email',
  profile_url: 'Profile URL',
  title: 'Title',
  phone: 'Phone',
  company_domain: 'Company domain',
  country: 'Country',
  client_reference_id: 'Your reference',
};

/** The word of a field that decided a match. */
export const wordOfMatch = (field: MatchField): string => fieldLabels[field].toLowerCase();

/** A layer's outcome in words. */
export const layerOutcomes: Record<LayerStatus, string> = {
  enriched: 'found',
  not_found: 'nothing found',
  not_applicable: 'does not apply: same employer',
  failed: 'source failed',
};

/** What a hold was for, by the beginning of its reference; a job where it is none of these. */
const heldFor = [
  ['pipeline ', 'a pipeline'],
  ['email validation ', 'a validation of emails'],
] as const;

const entryWords: Record<LedgerEntry['kind'], (purpose: string) => string> = {
  grant: () => 'Granted',
  hold: (purpose) => `Held for ${purpose}`,
  settle: (purpose) => `Charged for ${purpose}`,
  release: () => 'Released to the wallet',
  charge: () => 'Charged',
};

const lookupWords: Readonly<Record<string, string>> = {
  phone: 'Charged for a phone',
  email: 'Charged for an email',
};

/** What a ledger entry did, and for what: of a lookup, whose value it paid for. */
export function presentEntry({ kind, reference, person_name: name }: LedgerEntry) {
  const [, value = '', person] = /^(\w+) lookup of (person [0-9a-f-]{36})$/.exec(reference) ?? [];
  const what = lookupWords[value];
  const purpose = heldFor.find(([start]) => reference.startsWith(start))?.[1] ?? 'a job';
  return what && person
    ? { what, about: name ?? person }
    : { what: entryWords[kind](purpose), about: reference };
}

/** Where a value comes from: "crm.csv, 2026-11-20, 97 % sure". */
export const describeProvenance = ({ source, observed_at, confidence }: Provenance): string =>
  [source, observed_at.slice(0, 10), `${Math.round(confidence * 100)}\u00a0%\u00a0sure`]
    .filter(Boolean)
    .join(', ');
