/** The caps of a provider: how many rows of a request they allow. Days and months are in UTC. */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { sumJobUnits, sumRequestUnits, sumUnitsIn } from './provider-request.table.ts';
import type { ProviderSetting } from './provider-setting.table.ts';
import { toCredits, toUnits } from './provider-units.ts';
import type { SendDeps } from './send-request.ts';

/** A cap, and what is left of it in units. */
interface CapLeft {
  /** `key`: of the API key that asks, for one request. */
  readonly what: 'job' | 'day' | 'month' | 'key';
  readonly capUnits: number;
  readonly leftUnits: number;
}

/** The tightest cap of a provider for a job; null if it has none. */
export function findTightestCap(
  database: ReadableDatabase,
  setting: ProviderSetting,
  { jobId, providerCap, requests }: Pick<SendDeps, 'jobId' | 'providerCap' | 'requests'>,
  now: Date,
): CapLeft | null {
  const { provider, capJobUnits, capDayUnits, capMonthUnits } = setting;
  const today = now.toISOString().slice(0, 10);
  const caps: CapLeft[] = [];
  const add = (what: CapLeft['what'], capUnits: number | null, read: () => number) => {
    if (capUnits !== null) caps.push({ what, capUnits, leftUnits: capUnits - read() });
  };
  add('job', jobId === null ? null : capJobUnits, () =>
    sumJobUnits(database, provider, jobId ?? 0),
  );
  add('key', providerCap === null ? null : toUnits(providerCap), () =>
    jobId === null
      ? sumRequestUnits(database, provider, requests)
      : sumJobUnits(database, provider, jobId),
  );
  add('day', capDayUnits, () => sumUnitsIn(database, provider, today));
  add('month', capMonthUnits, () => sumUnitsIn(database, provider, today.slice(0, 7)));
  return caps.sort((a, b) => a.leftUnits - b.leftUnits)[0] ?? null;
}

/** A sentence about a cap that stops a provider. */
export const describeCap = ({ what, capUnits }: CapLeft): string =>
  what === 'key'
    ? `The API key may spend ${toCredits(capUnits)} credits of a data service in one request. ` +
      'Change it with: desk keys set ID --provider-cap.'
    : `The cap of ${toCredits(capUnits)} credits per ${what} is reached. Raise it to continue.`;
