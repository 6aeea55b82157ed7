// Commands about the user's providers: keys, settings, order, definitions, tests and answers.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditNote, describeChange, recordAudit } from '../../audit/record-audit.ts';
import type { AuditAction } from '../../contract/audit/actions.ts';
import type { AuditDetails } from '../../contract/audit/audit.ts';
import type { CommandsOf } from '../../contract/endpoints.ts';
import { invalid, notFound } from '../../contract/errors.ts';
import { type Provider, ProviderError, type ProviderTerms } from '../../contract/provider.ts';
import type { ProviderDefinition } from '../../contract/provider-definition.ts';
import type {
  NewProviderKey,
  ProviderChange,
  ProviderOrder,
  providerCalls,
  RequestDecision,
} from '../../contract/providers.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { askContact, type ContactAnswer, type ContactRequest } from '../ask-contact.ts';
import { checkDefinition } from '../definitions/check-definition.ts';
import { type ListedDefinition, ownDefinitionsDir } from '../definitions/list-definitions.ts';
import { describeTerms } from '../definitions/plan-operations.ts';
import { defaultTitle, defineDesk, findAddressFault } from '../desk/desk-definition.ts';
import { deleteBalances, insertBalance } from '../spend/provider-balance.table.ts';
import { findDecidable, insertDecision, listDecisions } from '../spend/provider-decision.table.ts';
import type { Waterfalls } from '../waterfall/create-waterfalls.ts';
import { listWanted } from '../waterfall/layer-fields.ts';
import { listTallies } from '../waterfall/provider-answer.table.ts';
import {
  deleteSetting,
  insertMissingSettings,
  listSteps,
  type ProviderSetting,
  readSettings,
  writeSetting,
  writeSteps,
} from '../waterfall/provider-setting.table.ts';
import { toCredits, toUnits } from '../waterfall/provider-units.ts';
import { quoteProviders } from '../waterfall/quote-providers.ts';
import { readOrder } from '../waterfall/read-order.ts';
import type { InstalledDeps, InstalledProviders } from './installed-providers.ts';
import { openUserProvider, readDeskFile, testUserProvider } from './open-provider.ts';
import { presentProviders } from './present-providers.ts';
import { listKeys } from './provider-key.table.ts';
import { isKeyOf } from './provider-keys.ts';
import { writePrice } from './provider-money.table.ts';
import { deleteAnswers } from './provider-report.table.ts';

/**
 * Stores a decision: it changes the spend of the request and what later jobs ask. A later decision
 * about the same request replaces the cost of an earlier one. Throws `not_found`, and
 * `validation_error` if the outcome is known.
 */
function decideRequest(
  database: WritableDatabase,
  id: number,
  decision: RequestDecision,
  author: string,
  now: Date,
): void {
  inTransaction(database, () => {
    const request = findDecidable(database, id);
    if (!request) throw notFound(`There is no request ${id} in the log.`);
    const { state, costUnits, uncertainUnits } = request;
    if (uncertainUnits === null) throw invalid(`Request ${id} has no unknown outcome.`);
    const earlier = listDecisions(database, id).at(-1)?.costUnits ?? uncertainUnits;
    // The other parts of an answered request keep their cost.
    const known = state === 'uncertain' ? 0 : (costUnits ?? 0) - earlier;
    const units = decision.outcome === 'charged' ? toUnits(decision.credits) : 0;
    insertDecision(
      database,
      id,
      {
        outcome: decision.outcome,
        costUnits: units,
        decidedBy: author,
        decidedAt: now.toISOString(),
      },
      known + units,
    );
    const note = { action: 'provider_request_decided', at: now.toISOString() } as const;
    const details = { outcome: decision.outcome };
    recordAudit(database, { ...note, accountId: null, subject: String(id), details });
  });
}

export interface ProviderCommandDeps extends InstalledDeps {
  readonly installed: InstalledProviders;
  readonly waterfalls: Waterfalls;
}

/** Records a change of a provider. The providers belong to no account. */
const note = (
  { database, now }: ProviderCommandDeps,
  action: AuditAction,
  subject: string,
  counted: Pick<AuditNote, 'rows' | 'details'> = {},
): void =>
  recordAudit(database, {
    action,
    subject,
    accountId: null,
    at: now().toISOString(),
    ...counted,
  });

const showUnits = (units: number | null) => (units === null ? null : toCredits(units));

const describeSetting = ({ isOn, repeatsUncertain, ...caps }: ProviderSetting) => ({
  on: isOn,
  repeats_uncertain: repeatsUncertain,
  cap_per_job: showUnits(caps.capJobUnits),
  cap_per_day: showUnits(caps.capDayUnits),
  cap_per_month: showUnits(caps.capMonthUnits),
});

/** The definition of a provider. Throws `not_found`, and `validation_error` for a faulty one. */
function requireDefinition(
  definitions: readonly ListedDefinition[],
  id: string,
): { readonly definition: ProviderDefinition; readonly listed: ListedDefinition } {
  const listed = definitions.find((one) => one.id === id);
  if (!listed) throw notFound(`There is no definition of a provider ${id}.`);
  const { definition, faults } = listed.checked;
  if (definition) return { definition, listed };
  const [fault] = faults;
  throw invalid(`${listed.path}:${fault?.line ?? 1}: ${fault?.what ?? 'it cannot be read'}`);
}

/** The settings of a provider. Throws `not_found`. */
function requireSetting({ database }: ProviderCommandDeps, id: string): ProviderSetting {
  const setting = readSettings(database).get(id);
  if (setting) return setting;
  throw notFound(`${id} is not set up. Add its key first.`);
}

function writeDefinition({ folder }: ProviderCommandDeps, id: string, text: string): void {
  const path = join(ownDefinitionsDir(folder), `${id}.json`);
  mkdirSync(ownDefinitionsDir(folder), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** Stores the address of another engine, with its prices, if the engine accepts the key. */
async function setAddress(
  deps: ProviderCommandDeps,
  { definition }: { readonly definition: ProviderDefinition },
  { key, address, is_local: isLocal }: NewProviderKey,
): Promise<void> {
  const { id, desk, keepDays } = definition;
  if (!desk) {
    if (address === undefined) return;
    throw invalid(`address: ${id} has the address of its definition.`);
  }
  const entered = address ?? desk.address;
  if (entered === null) throw invalid('address: send the address of the other engine.');
  const fault = findAddressFault(entered);
  if (fault) throw invalid(`address: ${fault}.`);
  const isDefault = definition.title === defaultTitle(desk.address);
  const title = isDefault ? {} : { title: definition.title };
  const file = defineDesk({
    id,
    client: 'desk',
    address: entered,
    prices: desk.prices,
    ...title,
    ...((isLocal ?? desk.isLocal) && { local: true as const }),
    ...(keepDays !== undefined && { keepDays }),
  });
  const { installed } = deps;
  const reading = { ...installed.declaredDeps, readSecret: async () => key };
  try {
    writeDefinition(deps, id, await readDeskFile(file, reading, installed.signal));
  } catch (error) {
    if (error instanceof ProviderError) throw invalid(error.message);
    throw error;
  }
}

type KeyCommand = NewProviderKey & { readonly id: string };

/**
 * Stores a key, and adds the provider, off, at the end of the order of its fields. Rejects with
 * `not_found`, `validation_error` for a faulty definition, and `secrets_unavailable`. A provider
 * that is another engine is asked for its prices; `validation_error` if it does not answer.
 */
async function setKey(deps: ProviderCommandDeps, { id, ...given }: KeyCommand): Promise<void> {
  const { database, installed } = deps;
  await setAddress(deps, requireDefinition(installed.refresh(), id), given);
  const { key } = given;
  const { definition } = requireDefinition(installed.refresh(), id);
  await installed.keys.store(definition, key, () => {
    const known = listKeys(database).get(id);
    const setting = readSettings(database).get(id);
    // Other hosts than those that were confirmed receive nothing until it is switched on again.
    if (setting && known && !isKeyOf(known, definition))
      writeSetting(database, { ...setting, isOn: false });
    const provider = openUserProvider(definition, installed.declaredDeps);
    insertMissingSettings(database, [{ provider, isOn: false }]);
    deleteBalances(database, id);
    note(deps, 'provider_key_set', id);
  });
  installed.refresh();
}

const capUnits = (change: number | null | undefined, now: number | null): number | null =>
  change === undefined ? now : change === null ? null : toUnits(change);

/** Changes the settings of a provider, and records it. Throws `not_found`, `validation_error`. */
export function changeProvider(
  deps: ProviderCommandDeps,
  id: string,
  change: ProviderChange,
): void {
  const { database, installed } = deps;
  const setting = requireSetting(deps, id);
  const { is_on: isOn, caps, price, repeats_uncertain: repeatsUncertain } = change;
  installed.refresh();
  if (isOn && !installed.providers.has(id))
    throw invalid(`${id} has no key for the hosts of its definition. Set its key first.`);
  inTransaction(database, () => {
    writeSetting(database, {
      provider: id,
      isOn: isOn ?? setting.isOn,
      capJobUnits: capUnits(caps?.job, setting.capJobUnits),
      capDayUnits: capUnits(caps?.day, setting.capDayUnits),
      capMonthUnits: capUnits(caps?.month, setting.capMonthUnits),
      repeatsUncertain: repeatsUncertain ?? setting.repeatsUncertain,
    });
    if (price !== undefined) writePrice(database, id, price);
    const details: AuditDetails = describeChange(
      describeSetting(setting),
      describeSetting(requireSetting(deps, id)),
    );
    if (price !== undefined) details.price = price === null ? null : 'set';
    if (Object.keys(details).length > 0) note(deps, 'provider_changed', id, { details });
  });
}

function listTerms({ database, builtIn, installed }: ProviderCommandDeps) {
  const terms = new Map<string, ProviderTerms>();
  const add = (one: ProviderTerms) => terms.set(one.id, one);
  for (const { provider } of builtIn) add(provider.describe());
  const settings = readSettings(database);
  for (const { id, checked } of installed.refresh())
    if (checked.definition && settings.has(id)) add(describeTerms(checked.definition));
  return terms;
}

/** Throws `validation_error` for a provider that has no key or not the field. */
function orderProviders(deps: ProviderCommandDeps, { field, steps }: ProviderOrder): void {
  const { database } = deps;
  const names = steps.map(({ provider }) => provider);
  if (new Set(names).size < names.length) throw invalid('A provider is listed twice.');
  const terms = listTerms(deps);
  for (const name of names) {
    const known = terms.get(name);
    if (!known) throw invalid(`${name} is not set up. Add its key first.`);
    if (!known.fields[field]) throw invalid(`${name} does not answer ${field}.`);
  }
  const before = listSteps(database).filter((step) => step.field === field);
  const ruleOf = (name: string) => before.find(({ provider }) => provider === name)?.rule ?? {};
  inTransaction(database, () => {
    writeSteps(
      database,
      field,
      steps.map(({ provider, rule }) => ({ provider, rule: rule ?? ruleOf(provider) })),
    );
    const rules = steps.filter(({ rule }) => rule !== undefined).length;
    const order = [before.map(({ provider }) => provider).join(' '), names.join(' ')];
    note(deps, 'provider_order_changed', field, { details: { order, rules } });
  });
}

function requireKnown({ database, builtIn, installed }: ProviderCommandDeps, id: string): void {
  const ids = new Set([
    ...builtIn.map(({ provider }) => provider.describe().id),
    ...installed.refresh().map((listed) => listed.id),
    ...readSettings(database).keys(),
  ]);
  if (ids.has(id)) return;
  const known = ids.size > 0 ? `Choose from ${[...ids].sort().join(', ')}.` : 'There is none yet.';
  throw notFound(`There is no provider ${id}. ${known}`);
}

/**
 * Removes the key, the settings and an own definition file. What it answered and what it cost
 * stays. Rejects with `not_found`, and with `validation_error` for a built-in provider.
 */
async function removeProvider(deps: ProviderCommandDeps, id: string): Promise<void> {
  const { database, installed, builtIn } = deps;
  if (builtIn.some(({ provider }) => provider.describe().id === id))
    throw invalid(`${id} is part of the product. Switch it off instead.`);
  requireKnown(deps, id);
  const listed = installed.refresh().find((one) => one.id === id);
  await installed.keys.remove(id, () => {
    deleteBalances(database, id);
    deleteSetting(database, id);
    note(deps, 'provider_removed', id);
  });
  if (listed?.origin === 'own') rmSync(listed.path, { force: true });
  installed.refresh();
}

function importDefinition(deps: ProviderCommandDeps, text: string) {
  const { environment, installed } = deps;
  if (environment !== 'live') throw invalid('Staging has no definitions of data services.');
  const { definition, faults } = checkDefinition(text, null);
  if (!definition) return { id: null, faults: [...faults] };
  writeDefinition(deps, definition.id, text);
  installed.refresh();
  inTransaction(deps.database, () => note(deps, 'provider_defined', definition.id));
  return { id: definition.id, faults: [] };
}

async function runTest({ database, installed, now }: ProviderCommandDeps, id: string) {
  const { definition } = requireDefinition(installed.refresh(), id);
  installed.keys.forgetFailures();
  const { checks, balance } = await testUserProvider(
    definition,
    installed.declaredDeps,
    installed.signal,
  );
  if (balance !== null)
    insertBalance(database, { provider: id, credits: balance, at: now().toISOString() });
  return {
    checks: checks.map(({ assumption, isOk, detail }) => ({ assumption, is_ok: isOk, detail })),
  };
}

async function describe({ database, installed, builtIn, now }: ProviderCommandDeps) {
  const providers: Provider[] = builtIn.map(({ provider }) => provider);
  return presentProviders({
    database,
    builtIn: providers,
    now: now(),
    definitions: installed.refresh(),
    keyPlaces: await installed.keys.describe(),
    readBreaker: installed.readBreaker,
  });
}

/** Each call that changes a provider answers with all of them. */
export const createProviderCommands = (deps: ProviderCommandDeps) => {
  const { database, installed } = deps;
  const named = {
    'providers.list': () => describe(deps),
    async 'providers.setKey'(command) {
      await setKey(deps, command);
      return describe(deps);
    },
    async 'providers.change'({ id, ...change }) {
      changeProvider(deps, id, change);
      return describe(deps);
    },
    async 'providers.order'(order) {
      orderProviders(deps, order);
      return describe(deps);
    },
    async 'providers.remove'({ id }) {
      await removeProvider(deps, id);
      return describe(deps);
    },
    'providers.importDefinition': async ({ text }) => importDefinition(deps, text),
    'providers.test': ({ id }) => runTest(deps, id),
    async 'providers.quote'({ rows, open_fields: openShares, selected_layers: codes }) {
      const order = readOrder(database, installed.providers);
      return quoteProviders(order, listTallies(database), listWanted(codes), { rows, openShares });
    },
    /** Deletes the stored answers of a provider, but not what is uncertain. */
    'providers.forget': async ({ id }) => {
      const deleted = inTransaction(database, () => {
        const rows = deleteAnswers(database, id);
        if (rows > 0) note(deps, 'provider_answers_deleted', id, { rows });
        return rows;
      });
      // A removed provider may have left answers.
      if (deleted === 0) requireKnown(deps, id);
      return { deleted };
    },
  } satisfies CommandsOf<typeof providerCalls>;
  return {
    ...named,
    async askProviders(command: ContactRequest): Promise<ContactAnswer> {
      const contact = await askContact(database, deps.waterfalls, command);
      return contact ? { kind: 'found', contact, matchedOn: [] } : { kind: 'unknown' };
    },
    /** @param command.author the label of the API key; "app" for the app itself */
    decideRequest: async (command: { id: number; decision: RequestDecision; author: string }) =>
      decideRequest(database, command.id, command.decision, command.author, deps.now()),
  };
};

export type ProviderCalls = ReturnType<typeof createProviderCommands>;
