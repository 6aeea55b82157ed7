/**
 * The enrichment layers: codes, labels, fields, order rule; the specification's "Enrichment layer"
 * and docs/rules.md.
 */
import { z } from 'zod';

/** One row of the table: everything that the product knows of a layer, but for SQL. */
interface LayerDefinition {
  readonly code: string;
  readonly label: string;
  readonly description: string;
  /** What it gives, in the few words that assistants read. */
  readonly gist: string;
  /** The layers that have to be selected with it. */
  readonly requires: readonly string[];
  /** Display names: the keys of enriched_fields, the headers of the result. */
  readonly fields: readonly string[];
  /** Credits per row on a new installation. */
  readonly defaultPrice: string;
  /** Whether a job may consist of this layer alone. */
  readonly standsAlone: boolean;
  /**
   * What makes the layer `enriched` in a row of the directory: that a person was matched, or that
   * one of its fields has a value.
   */
  readonly foundWhen: 'matched' | 'any_value';
  /** Whether it answers only for people who changed jobs. */
  readonly isOfMove: boolean;
}

/**
 * Every layer. CONTRIBUTING.md says how to add one. New layers go to the end and new fields to the
 * end of their layer: stored results refer to layers and fields by position.
 */
const layerTable = [
  {
    code: 'L1',
    label: 'Career Monitor',
    description: 'Where the contact works now, with title, verified work email and profile URL.',
    gist: 'current job and email',
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
    standsAlone: true,
    foundWhen: 'matched',
    isOfMove: false,
  },
  {
    code: 'L2',
    label: 'Company Location',
    description: 'Head office address and phone of the company that the row names.',
    gist: 'company location',
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
    standsAlone: true,
    foundWhen: 'any_value',
    isOfMove: false,
  },
  {
    code: 'L3',
    label: 'New Company',
    description:
      'For contacts who changed jobs: the new company, title, start date and work email.',
    gist: 'new company',
    requires: ['L1', 'L2'],
    fields: ['New company name', 'New title', 'New start date', 'New company website', 'New email'],
    defaultPrice: '1.0000',
    standsAlone: true,
    foundWhen: 'matched',
    isOfMove: true,
  },
  {
    code: 'L4',
    label: 'New Company Location',
    description: 'Head office address and phone of the new company.',
    gist: 'its location',
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
    standsAlone: true,
    foundWhen: 'any_value',
    isOfMove: true,
  },
  {
    code: 'MPA',
    label: 'Mobile Phone Append',
    description: "The contact's own mobile and direct-dial numbers.",
    gist: 'phones',
    requires: [],
    fields: ['Mobile phone', 'Direct phone'],
    defaultPrice: '5.0000',
    standsAlone: false,
    foundWhen: 'any_value',
    isOfMove: false,
  },
] as const satisfies readonly LayerDefinition[];

/** A layer's code. */
export type LayerCode = (typeof layerTable)[number]['code'];
/** The display name of an enriched field. */
export type DisplayName = (typeof layerTable)[number]['fields'][number];

/** A layer, with the codes and names that exist. */
export interface Layer extends LayerDefinition {
  readonly code: LayerCode;
  readonly requires: readonly LayerCode[];
  readonly fields: readonly DisplayName[];
}

/** Every layer, in the table's order. */
export const layers: readonly Layer[] = layerTable;

/** The codes, in the table's order. */
export const layerCodes: readonly LayerCode[] = layers.map(({ code }) => code);
/** A layer's code on the wire. */
export const LayerCodeSchema = z.enum(layerCodes);

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
    return codes.some((code) => layerByCode[code].standsAlone)
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
  if (codes.length === 0 || codes.some((code) => layerByCode[code].standsAlone)) return { codes };
  const [first] = layers.filter(({ standsAlone }) => standsAlone);
  const those = `${codes.join(' and ')} cannot be the only layer${codes.length > 1 ? 's' : ''}`;
  return { problem: `${those}; add ${first?.code}.` };
}
