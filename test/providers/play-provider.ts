// A provider whose answers a test decides, and waterfalls over it.
import { onTestFinished } from 'vitest';
import {
  type FieldAnswer,
  type FieldHit,
  type Provider,
  type ProviderField,
  type ProviderRequest,
  type ProviderRow,
  type ProviderTerms,
  type ProviderValueName,
  providerFields,
} from '../../engine/contract/provider.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import {
  createWaterfalls,
  type Waterfalls,
} from '../../engine/providers/waterfall/create-waterfalls.ts';
import {
  insertMissingSettings,
  type ProviderSetting,
  readSettings,
  writeSetting,
} from '../../engine/providers/waterfall/provider-setting.table.ts';
import { freeTerms } from './free-terms.ts';

/** The answer for each field of a row. */
export type SayField = (field: ProviderField) => FieldAnswer;
/** Decides about a row. May throw what `Provider.answer` throws. */
export type Say = (row: ProviderRow) => SayField;

/** No field is found. */
export const nothing: SayField = () => ({ kind: 'miss' });

/** Every field fails. */
export const fails =
  (detail: string): SayField =>
  () => ({ kind: 'failed', failure: 'source_error', detail });

/** The fields to which these values belong are found, with the status `valid` for an email. */
export const found =
  (
    values: Readonly<Partial<Record<ProviderValueName, string>>>,
    more: Partial<Pick<FieldHit, 'status' | 'confidence' | 'observedOn' | 'costCredits'>> = {},
  ): SayField =>
  (field) => {
    const names: readonly ProviderValueName[] = providerFields[field];
    const own = names.flatMap((name) => (values[name] ? [[name, values[name]]] : []));
    const isEmail = field === 'work_email';
    if (own.length === 0) return { kind: 'miss' };
    return {
      kind: 'hit',
      confidence: 0.9,
      observedOn: '2026-10-01',
      values: Object.fromEntries(own),
      ...(isEmail ? { status: 'valid' } : {}),
      ...more,
    };
  };

/** Creates a provider that answers at once, and lists of the requests and rows that it received. */
export function playProvider(say: Say, change: Partial<ProviderTerms> = {}) {
  const terms = { ...freeTerms, ...change };
  const requests: ProviderRequest[] = [];
  const asked: ProviderRow[] = [];
  const provider: Provider = {
    describe: () => terms,
    async answer(request, { onSend }) {
      onSend();
      requests.push(request);
      asked.push(...request.rows.map(({ row }) => row));
      const rows = request.rows.map(({ row, fields }) => {
        const answer = say(row);
        return Object.fromEntries(fields.map((field) => [field, answer(field)]));
      });
      return { kind: 'answered', rows, costCredits: null };
    },
  };
  return { provider, requests, asked };
}

export const byId = (providers: readonly Provider[]): ReadonlyMap<string, Provider> =>
  new Map(providers.map((one) => [one.describe().id, one]));

export function changeSetting(
  database: WritableDatabase,
  provider: string,
  change: Partial<ProviderSetting>,
): void {
  const setting = readSettings(database).get(provider);
  if (!setting) throw new Error(`${provider} has no settings`);
  writeSetting(database, { ...setting, ...change });
}

/** Switches providers on, in this order. */
export const switchOn = (database: WritableDatabase, providers: readonly Provider[]): void =>
  insertMissingSettings(
    database,
    providers.map((provider) => ({ provider, isOn: true })),
  );

/** Waterfalls over providers that are on, in this order; stopped with the test. */
export function openTestWaterfalls(
  database: WritableDatabase,
  providers: readonly Provider[],
  now: () => Date = () => new Date('2026-11-20T10:00:00.000Z'),
): Waterfalls {
  switchOn(database, providers);
  const waterfalls = createWaterfalls({
    database,
    now,
    wait: async () => undefined,
    providers: byId(providers),
  });
  onTestFinished(waterfalls.stop);
  return waterfalls;
}
