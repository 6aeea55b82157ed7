// Reads which of the installed providers are asked, and in which order.
import type { Provider } from '../../contract/provider.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { WaterfallOrder } from './plan-person.ts';
import { listSteps, readSettings } from './provider-setting.table.ts';

export function readOrder(
  database: ReadableDatabase,
  providers: ReadonlyMap<string, Provider>,
): WaterfallOrder {
  const settings = readSettings(database);
  const isOn = (id: string) => settings.get(id)?.isOn === true;
  const terms = new Map(
    [...providers].filter(([id]) => isOn(id)).map(([id, provider]) => [id, provider.describe()]),
  );
  const steps = listSteps(database).filter(
    ({ field, provider }) => terms.get(provider)?.fields[field] !== undefined,
  );
  return { terms, settings, steps };
}
