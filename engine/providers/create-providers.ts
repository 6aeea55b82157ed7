// The built-in providers of each environment. installed-providers.ts opens those with a file.
import { setTimeout as wait } from 'node:timers/promises';
import type { EnvironmentName } from '../contract/ids.ts';
import {
  sandboxRequestRowsMax,
  sandboxRetryDelaysMs,
  sandboxSlowRowMs,
} from '../contract/limits/providers.ts';
import {
  type FieldAnswer,
  type Provider,
  ProviderError,
  type ProviderField,
  type ProviderRow,
  type ProviderTerms,
  type ProviderValueName,
  providerFieldNames,
  providerFields,
  type RequestedRow,
  type RowAnswer,
} from '../contract/provider.ts';
import { profileUrlKey } from '../directory/normalize/normalize-url.ts';
import {
  sandboxContacts,
  sandboxDomain,
  sandboxEmail,
  sandboxObservedOn,
} from './sandbox-contacts.ts';

/** Waits. Rejects with the signal's reason if the signal is aborted. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

const terms: ProviderTerms = {
  id: 'sandbox',
  title: 'Sandbox upstream',
  requestsMax: 1,
  keepDays: null,
  rowsMax: sandboxRequestRowsMax,
  repeatDelaysMs: sandboxRetryDelaysMs,
  rowCostMaxCredits: 0,
  fields: Object.fromEntries(
    providerFieldNames.map((field) => [
      field,
      { needs: [['email'], ['profile_url']], costMaxCredits: 0 },
    ]),
  ),
};

const slowContact: Readonly<Partial<Record<ProviderValueName, string>>> = {
  first_name: 'Sloane',
  last_name: 'Waite',
  employment_status: 'Current',
  company_name: 'Sandbox Works',
  title: 'Head of Patience',
  email: sandboxEmail(sandboxContacts.slow),
  profile_url: 'https://sandbox.example/in/slow',
  job_function: 'Operations',
  job_level: 'Director',
  city: 'Springfield',
  state: 'IL',
  country: 'US',
  company_website: 'https://www.sandbox.example',
  company_city: 'Springfield',
  company_state: 'IL',
  company_country: 'US',
  direct_phone: '+12175550199',
};

/** By email, where a tag such as `slow+2@` makes another row of one contact, or by profile. */
function named(row: ProviderRow, contact: keyof typeof sandboxContacts): boolean {
  const mailbox = sandboxContacts[contact];
  const email = row.email
    ?.trim()
    .toLowerCase()
    .replace(/^([^+@]*)\+[^@]*@/, '$1@');
  return (
    email === sandboxEmail(mailbox) ||
    profileUrlKey(row.profile_url ?? '') === `${sandboxDomain}/in/${mailbox}`
  );
}

function answerField(field: ProviderField): FieldAnswer {
  const names: readonly ProviderValueName[] = providerFields[field];
  const values = Object.fromEntries(
    names.flatMap((name) => (slowContact[name] ? [[name, slowContact[name]]] : [])),
  );
  const isEmail = field === 'work_email' || field === 'email_status';
  if (!isEmail && Object.keys(values).length === 0) return { kind: 'miss' };
  return {
    kind: 'hit',
    values,
    observedOn: sandboxObservedOn,
    confidence: 0.97,
    ...(isEmail ? { status: 'valid' } : {}),
  };
}

async function answerRow(
  { row, fields }: RequestedRow,
  wait: Wait,
  signal: AbortSignal,
): Promise<RowAnswer> {
  const answerAll = (answer: (field: ProviderField) => FieldAnswer): RowAnswer =>
    Object.fromEntries(fields.map((field) => [field, answer(field)]));
  if (named(row, 'failed'))
    return answerAll(() => ({
      kind: 'failed',
      failure: 'source_error',
      detail: 'The sandbox fails this row every time. Retry the failed rows to see it again.',
    }));
  if (!named(row, 'slow')) return {};
  await wait(sandboxSlowRowMs, signal);
  return answerAll(answerField);
}

const createSandboxProvider = (wait: Wait): Provider => ({
  describe: () => terms,
  async answer({ rows }, { signal, onSend }) {
    if (rows.some(({ row }) => named(row, 'upstreamCredits')))
      throw new ProviderError(
        'quota',
        'The sandbox simulates a data service that is out of credits. ' +
          'Remove upstream-credits@ from the list.',
      );
    if (rows.some(({ row }) => named(row, 'upstreamDown')))
      throw new ProviderError(
        'unavailable',
        'The sandbox simulates a data service that does not answer. ' +
          'Remove upstream-down@ from the list.',
      );
    onSend();
    const answers: RowAnswer[] = [];
    try {
      for (const row of rows) answers.push(await answerRow(row, wait, signal));
    } catch (error) {
      // The slow rows of a cancelled job are free, so nothing about them is uncertain.
      if (signal.aborted) throw new ProviderError('unavailable', 'The run has ended.');
      throw error;
    }
    return { kind: 'answered', rows: answers, costCredits: 0 };
  },
});

export interface InstalledProvider {
  readonly provider: Provider;
  /** Whether it is on until its settings say otherwise. A provider that costs money never is. */
  readonly isOn: boolean;
}

export function createProviders(environment: EnvironmentName): readonly InstalledProvider[] {
  if (environment === 'live') return [];
  const sandbox = createSandboxProvider((ms, signal) => wait(ms, undefined, { signal }));
  return [{ provider: sandbox, isOn: true }];
}
