// Terms of a provider that is free and accepts any row.
import { type ProviderTerms, providerFieldNames } from '../../engine/contract/provider.ts';

/** The terms; tests change what matters to them. */
export const freeTerms: ProviderTerms = {
  id: 'double',
  title: 'Double',
  rowsMax: 10,
  requestsMax: 1,
  fields: Object.fromEntries(
    providerFieldNames.map((field) => [field, { needs: [[]], costMaxCredits: 0 }]),
  ),
  rowCostMaxCredits: 0,
  keepDays: null,
  repeatDelaysMs: [],
};
