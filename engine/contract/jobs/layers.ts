/**
 * The enrichment layers: codes, labels, fields, order rule; the specification's "Enrichment layer"
 * and docs/rules.md.
 */
import { z } from 'zod';

/** The codes in the order in which layers build on each other; MPA goes with any of them. */
export const layerCodes = ['L1', 'L2', 'L3', 'L4', 'MPA'] as const;
/** A layer's code. */
export type LayerCode = (typeof layerCodes)[number];
/** A layer's code on the wire. */
export const LayerCodeSchema = z.enum(layerCodes);

/** What a layer is and gives. `fields` are display names, the keys of enriched_fields. */
export interface Layer {
  readonly code: LayerCode;
  readonly label: string;
  readonly description: string;
  readonly requires: readonly LayerCode[];
  readonly fields: readonly string[];
  /** Credits per row on a new installation. */
  readonly defaultPrice: string;
}

/** Every layer, in order. */
export const layers: readonly Layer[] = [
  {
    code: 'L1',
    label: 'Career Monitor',
    description: 'Where the contact works now, with title, verified work email and profile URL.',
    requires: [],
    fields: [
      'First name',
      'Last name',
      'Current company name',
      'Current title',
      'Email',
      'Email status',
      'Profile URL',
      'Employment status',
      'Job function',
      'Job level',
      'Contact city',
      'Contact state',
      'Contact country',
    ],
    defaultPrice: '1.0000',
  },
  {
    code: 'L2',
    label: 'Company Location',
    description: 'Head office address and phone of the company that the row names.',
    requires: ['L1'],
    fields: [
      'Company website',
      'Company address',
      'Company city',
      'Company State',
      'Company country',
      'Company postal code',
      'Company phone',
    ],
    defaultPrice: '0.5000',
  },
  {
    code: 'L3',
    label: 'New Company',
    description:
      'For contacts who changed jobs: the new company, title, start date and work email.',
    requires: ['L1', 'L2'],
    fields: ['New company name', 'New title', 'New start date', 'New company website', 'New email'],
    defaultPrice: '1.0000',
  },
  {
    code: 'L4',
    label: 'New Company Location',
    description: 'Head office address and phone of the new company.',
    requires: ['L1', 'L2', 'L3'],
    fields: [
      'New company address',
      'New company city',
      'New company State',
      'New company country',
      'New company postal code',
      'New company phone',
    ],
    defaultPrice: '0.5000',
  },
  {
    code: 'MPA',
    label: 'Mobile Phone Append',
    description: "The contact's own mobile and direct-dial numbers.",
    requires: [],
    fields: ['Mobile phone', 'Direct phone'],
    defaultPrice: '5.0000',
  },
];

/** The layer of a code. */
export const layerByCode: Readonly<Record<LayerCode, Layer>> = Object.fromEntries(
  layers.map((layer) => [layer.code, layer]),
) as Record<LayerCode, Layer>;

/** What happened to one layer of one row. The order is the two-bit code kept in results. */
export const layerStatuses = ['not_found', 'enriched', 'not_applicable', 'failed'] as const;
/** A layer's outcome in a row. */
export type LayerStatus = (typeof layerStatuses)[number];

/**
 * The rule of order (specification, POST /submit/): returns the selection in the table's order, or
 * the sentence that says what is wrong. `active` are the layers switched on for the account.
 * "full" stands alone and means every active layer.
 */
export function resolveSelection(
  selection: readonly string[],
  active: readonly LayerCode[],
): { codes: LayerCode[] } | { problem: string } {
  if (selection.includes('full')) {
    if (new Set(selection).size > 1)
      return { problem: '"full" stands alone; drop the other codes.' };
    const usable = (code: LayerCode) =>
      [code, ...layerByCode[code].requires].every((needed) => active.includes(needed));
    const codes = layerCodes.filter(usable);
    return codes.some((code) => code !== 'MPA')
      ? { codes }
      : { problem: 'No layer is switched on for this account.' };
  }
  const unknown = selection.find((code) => !layerCodes.includes(code as LayerCode));
  if (unknown !== undefined)
    return {
      problem: `Unknown layer ${JSON.stringify(unknown)}; use ${layerCodes.join(', ')} or "full".`,
    };
  const codes = layerCodes.filter((code) => selection.includes(code));
  for (const code of codes) {
    const missing = layerByCode[code].requires.filter((needed) => !codes.includes(needed));
    if (missing.length) return { problem: `${code} needs ${missing.join(' and ')} as well.` };
    if (!active.includes(code)) return { problem: `${code} is switched off for this account.` };
  }
  if (codes.length === 1 && codes[0] === 'MPA')
    return { problem: 'MPA cannot be the only layer; add L1.' };
  return { codes };
}
