/** Commands about the user's providers: keys, settings, order, definitions, tests and answers. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../contract/errors.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import type { Provider, ProviderTerms } from '../../contract/provider.ts';
import type { ProviderDefinition } from '../../contract/provider-definition.ts';
import type { ProviderChange, ProviderOrder } from '../../contract/providers.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { askContact } from '../ask-contact.ts';
import { checkDefinition } from '../definitions/check-definition.ts';
import { openDeclaredProvider } from '../definitions/declared-provider.ts';
import { type ListedDefinition, ownDefinitionsDir } from '../definitions/list-definitions.ts';
import { describeTerms } from '../definitions/plan-operations.ts';
import { testProvider } from '../definitions/test-provider.ts';
import type { ProviderCalls } from '../providers.commands.ts';
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
import { toUnits } from '../waterfall/provider-units.ts';
import { quoteProviders } from '../waterfall/quote-providers.ts';
import { readOrder } from '../waterfall/read-order.ts';
import type { InstalledDeps, InstalledProviders } from './installed-providers.ts';
import { presentProviders } from './present-providers.ts';
import { deleteKey, listKeys, putKey } from './provider-key.table.ts';
import { isKeyOf, sealKey } from './provider-keys.ts';
import { writeBalance, writePrice } from './provider-money.table.ts';
import { deleteAnswers } from './provider-report.table.ts';

/** Dependencies of the commands. */
export interface ProviderCommandDeps extends InstalledDeps {
  readonly installed: InstalledProviders;
  readonly waterfalls: Waterfalls;
}

const refuse = (detail: string) => new EngineError('validation_error', detail);

/** The definition of a provider. Throws `not_found`, and `validation_error` for a faulty one. */
function requireDefinition(
  definitions: readonly ListedDefinition[],
  id: string,
): { readonly definition: ProviderDefinition; readonly listed: ListedDefinition } {
  const listed = definitions.find((one) => one.id === id);
  if (!listed) throw new EngineError('not_found', `There is no definition of a provider ${id}.`);
  const { definition, faults } = listed.checked;
  if (definition) return { definition, listed };
  const [fault] = faults;
  throw refuse(`${listed.path}:${fault?.line ?? 1}: ${fault?.what ?? 'it cannot be read'}`);
}

/** The settings of a provider. Throws `not_found`. */
function requireSetting({ database }: ProviderCommandDeps, id: string): ProviderSetting {
  const setting = readSettings(database).get(id);
  if (setting) return setting;
  throw new EngineError('not_found', `${id} is not set up. Add its key first.`);
}

async function setKey(deps: ProviderCommandDeps, id: string, key: string): Promise<void> {
  const { database, installed, now } = deps;
  const { definition } = requireDefinition(installed.refresh(), id);
  const row = await sealKey(deps, definition, key);
  inTransaction(database, () => {
    const known = listKeys(database).get(id);
    const setting = readSettings(database).get(id);
    // Other hosts than those that were confirmed receive nothing until it is switched on again.
    if (setting && known && !isKeyOf(known, definition))
      writeSetting(database, { ...setting, isOn: false });
    const provider = openDeclaredProvider(definition, installed.declaredDeps);
    insertMissingSettings(database, [{ provider, isOn: false }]);
    putKey(database, { ...row, at: now().toISOString() });
  });
  installed.refresh();
}

const capUnits = (change: number | null | undefined, now: number | null): number | null =>
  change === undefined ? now : change === null ? null : toUnits(change);

function changeProvider(deps: ProviderCommandDeps, id: string, change: ProviderChange): void {
  const { database, installed } = deps;
  const setting = requireSetting(deps, id);
  const { is_on: isOn, caps, price, repeats_uncertain: repeatsUncertain } = change;
  installed.refresh();
  if (isOn && !installed.providers.has(id))
    throw refuse(`${id} has no key for the hosts of its definition. Set its key first.`);
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
  });
}

/** The terms of every provider with settings, by id. */
function listTerms({ database, builtIn, installed }: ProviderCommandDeps) {
  const terms = new Map<string, ProviderTerms>();
  const add = (one: ProviderTerms) => terms.set(one.id, one);
  for (const { provider } of builtIn) add(provider.describe());
  const settings = readSettings(database);
  for (const { id, checked } of installed.refresh())
    if (checked.definition && settings.has(id)) add(describeTerms(checked.definition));
  return terms;
}

function orderProviders(deps: ProviderCommandDeps, { field, steps }: ProviderOrder): void {
  const { database } = deps;
  const names = steps.map(({ provider }) => provider);
  if (new Set(names).size < names.length) throw refuse('steps: a provider is listed twice.');
  const terms = listTerms(deps);
  for (const name of names) {
    const known = terms.get(name);
    if (!known) throw refuse(`steps: ${name} is not set up. Add its key first.`);
    if (!known.fields[field]) throw refuse(`steps: ${name} does not answer ${field}.`);
  }
  const before = listSteps(database).filter((step) => step.field === field);
  const ruleOf = (name: string) => before.find(({ provider }) => provider === name)?.rule ?? {};
  writeSteps(
    database,
    field,
    steps.map(({ provider, rule }) => ({ provider, rule: rule ?? ruleOf(provider) })),
  );
}

function removeProvider({ database, installed, builtIn }: ProviderCommandDeps, id: string): void {
  if (builtIn.some(({ provider }) => provider.describe().id === id))
    throw refuse(`${id} is part of the product. Switch it off instead.`);
  const listed = installed.refresh().find((one) => one.id === id);
  if (!listed && !readSettings(database).has(id))
    throw new EngineError('not_found', `There is no provider ${id}.`);
  inTransaction(database, () => {
    deleteKey(database, id);
    deleteSetting(database, id);
  });
  if (listed?.origin === 'own') rmSync(listed.path, { force: true });
  installed.refresh();
}

function importDefinition({ folder, environment, installed }: ProviderCommandDeps, text: string) {
  if (environment !== 'live') throw refuse('Staging has no definitions of data services.');
  const { definition, faults } = checkDefinition(text, null);
  if (!definition) return { id: null, faults: [...faults] };
  const path = join(ownDefinitionsDir(folder), `${definition.id}.json`);
  mkdirSync(ownDefinitionsDir(folder), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  installed.refresh();
  return { id: definition.id, faults: [] };
}

async function runTest({ database, installed, now }: ProviderCommandDeps, id: string) {
  const { definition } = requireDefinition(installed.refresh(), id);
  const { checks, balance } = await testProvider(
    definition,
    installed.declaredDeps,
    installed.signal,
  );
  if (balance !== null) writeBalance(database, id, balance, now().toISOString());
  return {
    checks: checks.map(({ assumption, isOk, detail }) => ({ assumption, is_ok: isOk, detail })),
  };
}

function describe({ database, installed, builtIn, now }: ProviderCommandDeps) {
  const providers: Provider[] = builtIn.map(({ provider }) => provider);
  return presentProviders({
    ...{ database, builtIn: providers, now: now() },
    definitions: installed.refresh(),
    readBreaker: installed.readBreaker,
  });
}

function quote(
  { database, installed }: ProviderCommandDeps,
  codes: readonly LayerCode[],
  rows: number,
) {
  const order = readOrder(database, installed.providers);
  return quoteProviders(order, listTallies(database), listWanted(codes), rows);
}

/** Creates the handlers of the commands, on the writing connection of an environment. */
export const createProviderCommands = (deps: ProviderCommandDeps): ProviderCalls => ({
  askProviders: (command) => askContact(deps.database, deps.waterfalls, command),
  quoteProviders: async ({ codes, rows }) => quote(deps, codes, rows),
  describeProviders: async () => describe(deps),
  setProviderKey: ({ id, key }) => setKey(deps, id, key),
  changeProvider: async ({ id, change }) => changeProvider(deps, id, change),
  orderProviders: async (command) => orderProviders(deps, command),
  removeProvider: async ({ id }) => removeProvider(deps, id),
  importDefinition: async ({ text }) => importDefinition(deps, text),
  testProvider: ({ id }) => runTest(deps, id),
  forgetAnswers: async ({ id }) => ({ deleted: deleteAnswers(deps.database, id) }),
});
