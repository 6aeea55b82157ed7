// The tables `provider_setting` and `provider_step`: which providers are asked, in which order.
import type { ProviderField } from '../../contract/provider.ts';
import { type StepRule, StepRuleSchema } from '../../contract/providers.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { readJson } from '../../platform/sqlite/read-json.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import type { InstalledProvider } from '../create-providers.ts';

export interface ProviderSetting {
  readonly provider: string;
  readonly isOn: boolean;
  /** Caps in units (provider-units.ts); null for none. */
  readonly capJobUnits: number | null;
  readonly capDayUnits: number | null;
  readonly capMonthUnits: number | null;
  /** Whether later jobs ask again for what an unknown outcome left open. */
  readonly repeatsUncertain: boolean;
}

export interface ProviderStep {
  readonly field: ProviderField;
  readonly provider: string;
  readonly rule: StepRule;
}

type SettingRecord = Omit<ProviderSetting, 'isOn' | 'repeatsUncertain'> & {
  readonly isOn: number;
  readonly repeatsUncertain: number;
};

export const readSettings = (database: ReadableDatabase): Map<string, ProviderSetting> =>
  new Map(
    statement<SettingRecord>(
      database,
      `SELECT provider, is_on AS isOn, cap_job_units AS capJobUnits, cap_day_units AS capDayUnits,
         cap_month_units AS capMonthUnits, repeats_uncertain AS repeatsUncertain
       FROM provider_setting ORDER BY provider`,
    )
      .all()
      .map((record) => [
        record.provider,
        { ...record, isOn: record.isOn === 1, repeatsUncertain: record.repeatsUncertain === 1 },
      ]),
  );

/**
 * Every step, in the order in which a field's providers are asked. A step whose rule is damaged is
 * left out: without its rule, the provider would be asked, and paid, for more.
 */
export const listSteps = (database: ReadableDatabase): ProviderStep[] =>
  statement<{ field: ProviderField; provider: string; rule: string }>(
    database,
    'SELECT field, provider, rule FROM provider_step ORDER BY field, position',
  )
    .all()
    .flatMap(({ rule: text, ...step }) => {
      const rule = readJson(StepRuleSchema.nullable(), text, null);
      return rule ? [{ ...step, rule }] : [];
    });

export function writeSetting(database: WritableDatabase, setting: ProviderSetting): void {
  statement(
    database,
    `INSERT INTO provider_setting (provider, is_on, cap_job_units, cap_day_units,
       cap_month_units, repeats_uncertain)
     VALUES (@provider, @isOn, @capJobUnits, @capDayUnits, @capMonthUnits, @repeatsUncertain)
     ON CONFLICT (provider) DO UPDATE SET is_on = excluded.is_on,
       cap_job_units = excluded.cap_job_units, cap_day_units = excluded.cap_day_units,
       cap_month_units = excluded.cap_month_units, repeats_uncertain = excluded.repeats_uncertain`,
  ).run({
    ...setting,
    isOn: setting.isOn ? 1 : 0,
    repeatsUncertain: setting.repeatsUncertain ? 1 : 0,
  });
}

export function writeSteps(
  database: WritableDatabase,
  field: ProviderField,
  steps: readonly Pick<ProviderStep, 'provider' | 'rule'>[],
): void {
  inTransaction(database, () => {
    statement(database, 'DELETE FROM provider_step WHERE field = ?').run(field);
    for (const [position, { provider, rule }] of steps.entries())
      statement(
        database,
        'INSERT INTO provider_step (field, position, provider, rule) VALUES (?, ?, ?, ?)',
      ).run(field, position, provider, JSON.stringify(rule));
  });
}

export function deleteSetting(database: WritableDatabase, provider: string): void {
  statement(database, 'DELETE FROM provider_step WHERE provider = ?').run(provider);
  statement(database, 'DELETE FROM provider_setting WHERE provider = ?').run(provider);
}

/** Adds settings for providers that have none, at the end of the order of each of their fields. */
export function insertMissingSettings(
  database: WritableDatabase,
  providers: readonly InstalledProvider[],
): void {
  inTransaction(database, () => {
    const known = readSettings(database);
    for (const { provider, isOn } of providers) {
      const terms = provider.describe();
      if (known.has(terms.id)) continue;
      const caps = { capJobUnits: null, capDayUnits: null, capMonthUnits: null };
      writeSetting(database, { provider: terms.id, isOn, ...caps, repeatsUncertain: false });
      for (const field of Object.keys(terms.fields) as ProviderField[]) {
        const steps = listSteps(database).filter((step) => step.field === field);
        writeSteps(database, field, [...steps, { provider: terms.id, rule: {} }]);
      }
    }
  });
}
