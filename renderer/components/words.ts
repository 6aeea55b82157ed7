// Labels for codes: reasons, fields, layer outcomes, ledger entries.
import type { InputRepair } from '../../engine/contract/jobs/input-repairs.ts';
import type { MatchField, Provenance, Reason, ResultRow } from '../../engine/contract/jobs/job.ts';
import type { LayerStatus } from '../../engine/contract/jobs/layers.ts';
import type { RowInputField } from '../../engine/contract/jobs/row-input.ts';
import type { LedgerEntry } from '../../engine/contract/ledger.ts';
import { nameGrant } from '../../engine/contract/wallet/wallet-words.ts';
import { showCount, showDay, showShare } from './numbers.ts';

export interface ReasonLink {
  readonly label: string;
  /** Of the page; `:job` is replaced by the id of the row's job. */
  readonly path: string;
}

export interface ReasonWords {
  readonly short: string;
  readonly sentence: string;
  readonly next: string;
  readonly link: ReasonLink | null;
}

/** A value of a record as screens show it: ranges of revenue are in no currency. */
export const showValue = (field: string, value: string): string =>
  field === 'revenue_range' ? value.replaceAll('$', '') : value;

export const creditsSentence =
  'Credits show what a list would cost at a data service, and limit what keys, assistants and ' +
  'services spend. Here they cost nothing.';

/** Every reason. The Help screen and the details of rows show this table. */
export const reasonWords: Record<Reason, ReasonWords> = {
  '': { short: '', sentence: '', next: '', link: null },
  no_match: {
    short: 'no match',
    sentence: 'No person in the directory matches this row with enough confidence.',
    next:
      'Add an email, a profile URL or the current company to the row, or import a list that has ' +
      'these people, and run the unmatched rows again. You are not charged for this row.',
    link: { label: 'Import a list', path: '/directory' },
  },
  ambiguous: {
    short: 'ambiguous',
    sentence: 'It is not certain which person this row means, so none was picked.',
    next: 'Pick the right person. Your pick is remembered for later jobs.',
    link: null,
  },
  too_little_data: {
    short: 'too little data',
    sentence: 'The row does not have enough data to identify one person.',
    next: 'Map an email or a profile URL, or a full name with a company.',
    link: { label: 'New enrichment', path: '/' },
  },
  suppressed: {
    short: 'suppressed',
    sentence: 'This person is on the suppression list.',
    next: 'No value is shown or charged. Remove the entry if the person may be used again.',
    link: { label: 'Open the suppression list', path: '/directory/suppression' },
  },
  source_error: {
    short: 'source error',
    sentence: 'The source failed for this row.',
    next: 'Retry the failed rows. Layers that you paid for are not charged again.',
    link: { label: 'Open the job', path: '/jobs/:job' },
  },
  source_uncertain: {
    short: 'outcome unknown',
    sentence: 'A data service may have been paid for this row, but its answer is unknown.',
    next:
      'Say in the log of the data service whether the request was charged. If it was not, a ' +
      'later job asks again. You are not charged credits for this row.',
    link: { label: 'Open the data services', path: '/connections/providers' },
  },
  conflicting_evidence: {
    short: 'conflicting evidence',
    sentence: 'Parts of this row belong to different people, so none was picked.',
    next:
      'Compare the candidates: the email may name one person, and the profile another. Pick the ' +
      'right one, or correct the row.',
    link: null,
  },
  not_a_person: {
    short: 'not one person',
    sentence: 'The row is a test, a header, a note or an office, or it names two people.',
    next: 'Give each person a row, and remove test rows, repeated headers and notes.',
    link: { label: 'New enrichment', path: '/' },
  },
  known_from_earlier_job: {
    short: 'known',
    sentence: 'This person is in the earlier job that this one excludes.',
    next: 'See the result in the earlier job, or enrich the list without excluding it.',
    link: { label: 'Open the job', path: '/jobs/:job' },
  },
};

/** Who decided: the app is used by its reader; a program is named by its key. */
export const wordOfAuthor = (author: string): string => (author === 'app' ? 'you' : author);

export const wordOfReason = (code: string): string =>
  reasonWords[code as Reason]?.short ?? code.replaceAll('_', ' ');

/** Why an enriched row was free, or partly free, in a few words; '' if it was not. */
export const wordOfRepeat = (result: Pick<ResultRow, 'duplicate_of' | 'paid_before'>): string => {
  if (result.duplicate_of !== null) return `repeats row ${showCount(result.duplicate_of + 1)}`;
  return result.paid_before.length > 0 ? 'paid before' : '';
};

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

/**
 * How cells were read by one rule: “Full name “Ada King” is read as first name “Ada”, last name
 * “King”.” A single cell keeps its name: “Email “mailto:a@b.example” is read as “a@b.example”.”
 */
function describeReading(repairs: readonly InputRepair[]): string {
  const given = repairs.filter(({ from }) => from !== '');
  const read = repairs.filter(({ to }) => to !== '');
  const list = (all: readonly InputRepair[], show: (one: InputRepair) => string) =>
    all.map(show).join(', ');
  const before = list(given, ({ rule, field, from }) => {
    const label = rule === 'full_name' ? 'Full name' : fieldLabels[field];
    return `${label} “${from}”`;
  });
  if (read.length === 0) return `${before} ${given.length > 1 ? 'are' : 'is'} left out.`;
  const isSame = read.length === 1 && given.length === 1 && read[0] === given[0];
  const after = list(read, ({ field, to }) =>
    isSame ? `“${to}”` : `${fieldLabels[field].toLowerCase()} “${to}”`,
  );
  const verb = given.length > 1 ? 'are read' : 'is read';
  return before === '' ? `${after} ${verb}.` : `${before} ${verb} as ${after}.`;
}

export const describeRepairs = (repairs: readonly InputRepair[]) =>
  [...Map.groupBy(repairs, ({ rule }) => rule)].map(([rule, ofRule]) => ({
    rule,
    sentence: describeReading(ofRule),
  }));

export const wordOfMatch = (field: MatchField): string => fieldLabels[field].toLowerCase();

export const layerOutcomes: Record<LayerStatus, string> = {
  enriched: 'found',
  not_found: 'nothing found',
  not_applicable: 'not applicable: same employer',
  failed: 'source failed',
};

/** The subject of a hold or charge; '' if the entry's reference names it. */
const purposeWords: Record<LedgerEntry['subject_kind'], string> = {
  grant: '',
  job: ' for a job',
  pipeline: ' for emails and phones',
  email_validation: ' for an email check',
  monitor_job: '',
  email_lookup: ' for an email',
  phone_lookup: ' for a phone',
  tool: '',
  review: ' for a review',
};

const entryWords: Record<LedgerEntry['kind'], (purpose: string) => string> = {
  grant: () => 'Credits added',
  hold: (purpose) => `Reserved${purpose}`,
  settle: (purpose) => `Charged${purpose}`,
  release: () => 'Returned',
  charge: (purpose) => `Charged${purpose}`,
  refund: () => 'Returned after a review',
};

export function presentEntry({
  kind,
  subject_kind: subject,
  subject_id: id,
  reference,
  person_name: name,
}: LedgerEntry) {
  const isLookup = subject === 'email_lookup' || subject === 'phone_lookup';
  const person = isLookup ? (name ?? `person ${id}`) : null;
  const about = person ?? (subject === 'grant' ? nameGrant(reference) : reference);
  return { what: entryWords[kind](purposeWords[subject]), about };
}

/** The source of a value: "crm.csv, 20 Nov 2026, 97% sure". */
export const describeProvenance = ({ source, observed_at, confidence }: Provenance): string =>
  [source, observed_at && showDay(observed_at), `${showShare(confidence)} sure`]
    .filter(Boolean)
    .join(', ');
