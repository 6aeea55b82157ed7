// The layers: codes, labels, fields, requirements (docs/rules.md, "What the layers answer").
import { z } from 'zod';
import { type ColumnMapping, namesPeople } from './row-input.ts';

interface LayerDefinition {
  readonly code: string;
  readonly label: string;
  readonly description: string;
  readonly gist: string;
  readonly hit: { readonly one: string; readonly many: string };
  /** Layers that must be selected with it. */
  readonly requires: readonly string[];
  /** Display names: the keys of enriched_fields and the headers of the result. */
  readonly fields: readonly string[];
  /** Credits per row on a new installation. */
  readonly defaultPrice: string;
  readonly standsAlone: boolean;
  /** When the layer is `enriched`: for a matched person, or if one of its fields has a value. */
  readonly foundWhen: 'matched' | 'any_value';
  /** Whether it answers only for people who changed jobs. */
  readonly isOfMove: boolean;
  /** Whose record it returns. A row about a company is answered by layers about companies alone. */
  readonly about: 'person' | 'company';
}

/**
 * Every layer. CONTRIBUTING.md says how to add one. Add new layers at the end, and new fields at
 * the end of their layer: stored results refer to both by position.
 */
const layerTable = [
  {
    code: 'L1',
    label: 'Career Monitor',
    description: 'Where the contact works now, with title, work email and profile URL.',
    gist: 'current job and email',
    hit: { one: 'contact', many: 'contacts' },
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
    about: 'person',
  },
  {
    code: 'L2',
    label: 'Company Location',
    description: 'Head office address and phone of the company that the row names.',
    gist: 'company location',
    hit: { one: 'company location', many: 'company locations' },
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
    about: 'company',
  },
  {
    code: 'L3',
    label: 'New Company',
    description:
      'For contacts who changed jobs: the new company, title, start date and work email.',
    gist: 'new company',
    hit: { one: 'job change', many: 'job changes' },
    requires: ['L1', 'L2'],
    fields: ['New company name', 'New title', 'New start date', 'New company website', 'New email'],
    defaultPrice: '1.0000',
    standsAlone: true,
    foundWhen: 'matched',
    isOfMove: true,
    about: 'person',
  },
  {
    code: 'L4',
    label: 'New Company Location',
    description: 'Head office address and phone of the new company.',
    gist: 'its location',
    hit: { one: 'new company location', many: 'new company locations' },
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
    about: 'person',
  },
  {
    code: 'MPA',
    label: 'Mobile Phone Append',
    description: "The contact's own mobile and direct-dial numbers.",
    gist: 'phones',
    hit: { one: 'phone', many: 'phones' },
    requires: [],
    fields: ['Mobile phone', 'Direct phone'],
    defaultPrice: '5.0000',
    standsAlone: false,
    foundWhen: 'any_value',
    isOfMove: false,
    about: 'person',
  },
  {
    code: 'CP',
    label: 'Company Profile',
    description: 'Firmographics of the company that the row names, as your lists give them.',
    gist: 'company profile',
    hit: { one: 'company profile', many: 'company profiles' },
    requires: [],
    fields: [
      'Website',
      'Domain',
      'Industry',
      'Employees',
      'Revenue',
      'Founded',
      'Legal name',
      'Registration number',
      'Parent company',
      'Description',
      'Company record ID',
    ],
    defaultPrice: '0.5000',
    standsAlone: true,
    foundWhen: 'any_value',
    isOfMove: false,
    about: 'company',
  },
] as const satisfies readonly LayerDefinition[];

export type LayerCode = (typeof layerTable)[number]['code'];
export type DisplayName = (typeof layerTable)[number]['fields'][number];

export interface Layer extends LayerDefinition {
  readonly code: LayerCode;
  readonly requires: readonly LayerCode[];
  readonly fields: readonly DisplayName[];
}

export const layers: readonly Layer[] = layerTable;

export const layerCodes: readonly LayerCode[] = layers.map(({ code }) => code);
export const LayerCodeSchema = z.enum(layerCodes);

export const layerByCode: Readonly<Record<LayerCode, Layer>> = Object.fromEntries(
  layers.map((layer) => [layer.code, layer]),
) as Record<LayerCode, Layer>;

/** Names where the specification's label would be taken for a monitor, or says what is done. */
const ownNames: Partial<Record<LayerCode, string>> = { L1: 'Current job', MPA: 'Phone numbers' };

/** The name of a layer on screens, in sentence case as all others. */
export const nameLayer = (code: LayerCode): string =>
  ownNames[code] ?? layerByCode[code].label.replace(/ [A-Z]/g, (start) => start.toLowerCase());

/** Which layers return nothing for a list of companies, and which do; null for a list of people. */
export function explainIdleLayers(
  codes: readonly LayerCode[],
  mapping: ColumnMapping,
): string | null {
  const idle = codes.filter((code) => layerByCode[code].about === 'person');
  if (namesPeople(mapping) || idle.length === 0) return null;
  const [returns, is] = idle.length === 1 ? ['returns', 'is'] : ['return', 'are'];
  return (
    `no column names people: ${idle.join(', ')} ${returns} nothing, but ${is} part of the price. ` +
    'For companies, CP alone finds the profile, and L1 with L2 the address.'
  );
}

/** Outcome of one layer of one row. The order is the two-bit code stored in results. */
export const layerStatuses = ['not_found', 'enriched', 'not_applicable', 'failed'] as const;
export type LayerStatus = (typeof layerStatuses)[number];

/**
 * Checks that a selection has every required layer. Returns the selection in table order, or a
 * sentence about the problem. `active` are the layers that the account has switched on. "full" must
 * be the only code and means every active layer.
 */
export function resolveSelection(
  selection: readonly string[],
  active: readonly LayerCode[],
): { codes: LayerCode[] } | { problem: string } {
  if (selection.includes('full')) {
    if (new Set(selection).size > 1)
      return { problem: '"full" must be the only code. Remove the other codes.' };
    const usable = (code: LayerCode) =>
      [code, ...layerByCode[code].requires].every((needed) => active.includes(needed));
    const codes = layerCodes.filter(usable);
    return codes.some((code) => layerByCode[code].standsAlone)
      ? { codes }
      : { problem: 'This account has no layer switched on. Switch one on in its rates.' };
  }
  const unknown = selection.find((code) => !layerCodes.includes(code as LayerCode));
  if (unknown !== undefined)
    return {
      problem: `Unknown layer ${JSON.stringify(unknown)}; use ${layerCodes.join(', ')} or "full".`,
    };
  const codes = layerCodes.filter((code) => selection.includes(code));
  for (const code of codes) {
    const missing = layerByCode[code].requires.filter((needed) => !codes.includes(needed));
    if (missing.length)
      return { problem: `${code} needs ${missing.join(' and ')} as well. Select it too.` };
    if (!active.includes(code))
      return { problem: `${code} is switched off for this account. Remove it, or switch it on.` };
  }
  if (codes.length === 0 || codes.some((code) => layerByCode[code].standsAlone)) return { codes };
  const [first] = layers.filter(({ standsAlone }) => standsAlone);
  const those = `${codes.join(' and ')} cannot be the only layer${codes.length > 1 ? 's' : ''}`;
  return { problem: `${those}; add ${first?.code}.` };
}
