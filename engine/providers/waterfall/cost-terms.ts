// What fields of a row cost at most, from the terms of a provider.
import type { ProviderField, ProviderTerms, SharedCost } from '../../contract/provider.ts';
import { toUnits } from './provider-units.ts';

/** The cost that a field shares with others; undefined if it shares none. */
export const findShared = (
  { sharedCosts = [] }: Pick<ProviderTerms, 'sharedCosts'>,
  field: ProviderField,
): SharedCost | undefined => sharedCosts.find(({ fields }) => fields.includes(field));

/** The most that a field costs by itself, in units. */
export const ownUnits = ({ fields }: ProviderTerms, field: ProviderField): number =>
  toUnits(fields[field]?.costMaxCredits ?? 0);

/** The most that fields of one row share, in units: each common cost once. */
export const sharedUnits = (terms: ProviderTerms, fields: readonly ProviderField[]): number =>
  (terms.sharedCosts ?? [])
    .filter((shared) => shared.fields.some((field) => fields.includes(field)))
    .reduce((sum, { costMaxCredits }) => sum + toUnits(costMaxCredits), 0);
