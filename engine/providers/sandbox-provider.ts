/**
 * The sandbox's upstream provider, behind the sandbox directory in the staging environment. It
 * provokes the outcomes that a directory cannot (docs/rules.md, "Hosts and paths").
 */
import { z } from 'zod';
import {
  sandboxRequestRowsMax,
  sandboxRetryDelaysMs,
  sandboxSlowRowMs,
} from '../contract/limits/providers.ts';
import { type ProviderAnswer, ProviderError, type ProviderRow } from '../contract/provider.ts';
import { profileUrlKey } from '../directory/normalize/normalize-url.ts';
import type { ProviderDeps, ProviderEntry } from './provider-entry.ts';
import {
  sandboxContacts,
  sandboxDomain,
  sandboxEmail,
  sandboxObservedOn,
} from './sandbox-contacts.ts';

/** The answer for any other contact. */
const nothing: ProviderAnswer = { kind: 'nothing' };

const slowContact: ProviderAnswer = {
  kind: 'found',
  contactUuid: 'b4c1c4a8-6a1c-5d0e-9a57-2f1d7f9f5c01',
  employmentStatus: 'Current',
  confidence: 0.97,
  observedOn: sandboxObservedOn,
  values: {
    'First name': 'Sloane',
    'Last name': 'Waite',
    'Current company name': 'Sandbox Works',
    'Current title': 'Head of Patience',
    Email: sandboxEmail(sandboxContacts.slow),
    'Email status': 'valid',
    'Profile URL': 'https://sandbox.example/in/slow',
    'Job function': 'Operations',
    'Job level': 'Director',
    'Contact city': 'Springfield',
    'Contact state': 'IL',
    'Contact country': 'US',
    'Company website': 'https://www.sandbox.example',
    'Company city': 'Springfield',
    'Company State': 'IL',
    'Company country': 'US',
    'Direct phone': '+12175550199',
  },
};

/** Whether a row is a contact: by its email, or by its profile URL. */
function named(row: ProviderRow, contact: keyof typeof sandboxContacts): boolean {
  const mailbox = sandboxContacts[contact];
  return (
    row.email?.trim().toLowerCase() === sandboxEmail(mailbox) ||
    profileUrlKey(row.profile_url ?? '') === `${sandboxDomain}/in/${mailbox}`
  );
}

async function answerRow(
  row: ProviderRow,
  wait: ProviderDeps['wait'],
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  if (named(row, 'failed'))
    return {
      kind: 'failed',
      detail: 'The sandbox fails this row every time. Retry the failed rows to see it again.',
    };
  if (!named(row, 'slow')) return nothing;
  await wait(sandboxSlowRowMs, signal);
  return slowContact;
}

const noSettings = z.strictObject({});

/** The provider. It answers rows one after another. */
export const sandboxProvider: ProviderEntry<typeof noSettings> = {
  settings: noSettings,
  open: (_settings, { wait }) => ({
    name: 'Sandbox upstream',
    rowsMax: sandboxRequestRowsMax,
    retryDelaysMs: sandboxRetryDelaysMs,
    async answer({ rows }, signal) {
      if (rows.some((row) => named(row, 'upstreamCredits')))
        throw new ProviderError(
          'refused_credits',
          'The sandbox simulates an upstream provider that is out of credits. ' +
            'Remove upstream-credits@ from the list.',
        );
      if (rows.some((row) => named(row, 'upstreamDown')))
        throw new ProviderError(
          'unavailable',
          'The sandbox simulates an upstream provider that does not answer. ' +
            'Remove upstream-down@ from the list.',
        );
      const answers: ProviderAnswer[] = [];
      for (const row of rows) answers.push(await answerRow(row, wait, signal));
      return answers;
    },
  }),
};
