// Describes the providers of an environment for the app and the command line.
import { rowInputFields } from '../../contract/jobs/row-input.ts';
import { providerNotesMax, spendDaysMax } from '../../contract/limits/providers.ts';
import { type Provider, type ProviderTerms, providerFieldNames } from '../../contract/provider.ts';
import type { ProviderDefinition } from '../../contract/provider-definition.ts';
import type { KeyPlace, UserProvider, UserProviders } from '../../contract/providers.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { listUnusedEntries } from '../../secrets/unused-entry.table.ts';
import type { BreakerState } from '../definitions/circuit-breaker.ts';
import type { ListedDefinition } from '../definitions/list-definitions.ts';
import { describeTerms } from '../definitions/plan-operations.ts';
import { findPlace } from '../desk/desk-definition.ts';
import { findLatestBalance } from '../spend/provider-balance.table.ts';
import { findShared } from '../waterfall/cost-terms.ts';
import { listTallies } from '../waterfall/provider-answer.table.ts';
import { countUncertain, sumUnitsIn } from '../waterfall/provider-request.table.ts';
import { listSteps, readSettings } from '../waterfall/provider-setting.table.ts';
import { toCredits } from '../waterfall/provider-units.ts';
import { listKeys } from './provider-key.table.ts';
import { isKeyOf } from './provider-keys.ts';
import { readPrices } from './provider-money.table.ts';
import { countAnswers, listDaySpend, listProviderNotes } from './provider-report.table.ts';

interface Described {
  readonly database: ReadableDatabase;
  readonly definitions: readonly ListedDefinition[];
  readonly builtIn: readonly Provider[];
  readonly now: Date;
  readonly keyPlaces: ReadonlyMap<string, KeyPlace>;
  readBreaker(id: string): BreakerState;
}

function listSentColumns({ ops }: ProviderDefinition): UserProvider['sends'] {
  const templates = JSON.stringify(ops.map(({ request }) => request));
  return rowInputFields.filter((name) =>
    new RegExp(String.raw`\{\{\s*row\.${name}\s*\}\}`).test(templates),
  );
}

type Fixed = Pick<UserProvider, 'origin' | 'docs' | 'hosts' | 'sends' | 'key_place' | 'engine'>;

function presentEngine({ desk }: ProviderDefinition): Pick<UserProvider, 'engine'> {
  if (!desk) return {};
  const { address, isLocal } = desk;
  const place = address === null ? 'internet' : findPlace(address);
  return {
    engine: { address, place: place === 'internet' && isLocal ? 'private_network' : place },
  };
}

const presentCap = (units: number | null | undefined): number | null =>
  units === null || units === undefined ? null : toCredits(units);

function presentSpend({ database, now }: Described, id: string): UserProvider['spend'] {
  const today = now.toISOString().slice(0, 10);
  const since = new Date(now.getTime() - (spendDaysMax - 1) * 86_400_000);
  return {
    today: toCredits(sumUnitsIn(database, id, today)),
    month: toCredits(sumUnitsIn(database, id, today.slice(0, 7))),
    days: listDaySpend(database, id, since.toISOString().slice(0, 10)).map(
      ({ day, units, requests }) => ({ day, credits: toCredits(units), requests }),
    ),
    uncertain_requests: countUncertain(database, id),
  };
}

function presentFields({ database }: Described, terms: ProviderTerms): UserProvider['fields'] {
  const tallies = listTallies(database).filter(({ provider }) => provider === terms.id);
  return providerFieldNames.flatMap((field) => {
    const known = terms.fields[field];
    if (!known) return [];
    const { asked, hits } = tallies.find((one) => one.field === field) ?? { asked: 0, hits: 0 };
    const hitRate = asked === 0 ? null : hits / asked;
    const shared = findShared(terms, field)?.costMaxCredits ?? 0;
    return [{ field, cost_max: known.costMaxCredits + shared, asked, hits, hit_rate: hitRate }];
  });
}

function presentProvider(described: Described, terms: ProviderTerms, fixed: Fixed): UserProvider {
  const { database } = described;
  const { id, title } = terms;
  const setting = readSettings(database).get(id);
  const balance = findLatestBalance(database, id);
  const breaker = described.readBreaker(id);
  return {
    id,
    title,
    ...fixed,
    has_key: fixed.key_place !== null,
    fields: presentFields(described, terms),
    row_cost_max: terms.rowCostMaxCredits,
    keep_days: terms.keepDays,
    is_on: setting?.isOn ?? false,
    caps: {
      job: presentCap(setting?.capJobUnits),
      day: presentCap(setting?.capDayUnits),
      month: presentCap(setting?.capMonthUnits),
    },
    price: readPrices(database).get(id) ?? null,
    repeats_uncertain: setting?.repeatsUncertain ?? false,
    breaker: {
      state: breaker.state,
      until: breaker.opensAt === null ? null : new Date(breaker.opensAt).toISOString(),
    },
    balance: balance ? { credits: balance.credits, read_at: balance.at } : null,
    spend: presentSpend(described, id),
    answers: countAnswers(database, id),
    notes: listProviderNotes(database, id, providerNotesMax).map(
      ({ jobUuid, failure, detail, at }) => ({
        job_id: jobUuid,
        detail,
        at,
        failure: failure as UserProvider['notes'][number]['failure'],
      }),
    ),
  };
}

/** Describes every provider, the waterfall, and the definitions that cannot be used. */
export function presentProviders(described: Described): UserProviders {
  const { database, definitions, builtIn } = described;
  const keys = listKeys(database);
  const declared = definitions.flatMap(({ id, origin, checked: { definition } }) => {
    if (!definition) return [];
    const { hosts, desk } = definition;
    const docs = desk ? null : definition.docs;
    const place = isKeyOf(keys.get(id), definition) ? (described.keyPlaces.get(id) ?? null) : null;
    const sends = listSentColumns(definition);
    const fixed = { origin, docs, hosts, sends, key_place: place, ...presentEngine(definition) };
    return [presentProvider(described, describeTerms(definition), fixed)];
  });
  const own = builtIn.map((provider) =>
    presentProvider(described, provider.describe(), {
      origin: 'built_in' as const,
      docs: null,
      hosts: [],
      sends: [...rowInputFields],
      key_place: null,
    }),
  );
  const providers = [...own, ...declared];
  const answers = (id: string) => providers.find((one) => one.id === id)?.fields ?? [];
  const steps = listSteps(database).filter(({ field, provider }) =>
    answers(provider).some((one) => one.field === field),
  );
  const fields = providerFieldNames.filter((field) => steps.some((step) => step.field === field));
  return {
    providers,
    waterfall: fields.map((field) => ({
      field,
      steps: steps
        .filter((step) => step.field === field)
        .map(({ provider, rule }) => ({ provider, rule })),
    })),
    keys_to_delete: listUnusedEntries(database).length,
    faulty: definitions
      .filter(({ checked }) => checked.definition === null)
      .map(({ id, path, checked }) => ({ id, path, faults: [...checked.faults] })),
  };
}
