// Templates of requests: JSON with placeholders (engine/contract/provider-definition.ts).
import { type RowInputField, rowInputFields } from '../../contract/jobs/row-input.ts';
import {
  type ProviderField,
  type ProviderRow,
  providerFieldNames,
} from '../../contract/provider.ts';

/** The values of placeholders. Absent values are undefined. */
export interface TemplateValues {
  readonly row?: ProviderRow;
  readonly rowKey?: string;
  readonly requestId?: string;
  readonly ticket?: string;
  readonly wants: ReadonlySet<ProviderField>;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One or two words, a field name after a dot, and a text after a question mark. */
const placeholder = /\{\{\s*([a-z_]+)(?:\.([a-z_]+))?\s*(?:\?([^{}]*))?\}\}/g;
const wholePlaceholder = new RegExp(`^${placeholder.source}$`);

type Found = readonly [name: string, field: string | undefined, text: string | undefined];

function readValue([name, field, text]: Found, values: TemplateValues): Json | undefined {
  if (name === 'row') return values.row?.[field as RowInputField];
  if (name === 'row_key') return values.rowKey;
  if (name === 'request_id') return values.requestId;
  if (name === 'ticket') return values.ticket;
  const isWanted = values.wants.has(field as ProviderField);
  if (text === undefined) return isWanted;
  return isWanted ? text.trim() : undefined;
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Undefined if the value of a placeholder is absent. @param encode of each inserted text */
export function fillText(
  text: string,
  values: TemplateValues,
  encode: (text: string) => string = (one) => one,
): string | undefined {
  let isAbsent = false;
  const filled = text.replace(placeholder, (_all, name, field, choice) => {
    const value = readValue([name, field, choice], values);
    if (value === undefined) isAbsent = true;
    return value === undefined ? '' : encode(textOf(value));
  });
  return isAbsent ? undefined : filled;
}

/** Fills a template. Undefined if nothing of it remains. */
export function fillTemplate(template: Json, values: TemplateValues): Json | undefined {
  if (typeof template === 'string') {
    const [, name, field, choice] = wholePlaceholder.exec(template) ?? [];
    return name === undefined
      ? fillText(template, values)
      : readValue([name, field, choice], values);
  }
  if (template === null || typeof template !== 'object') return template;
  if (Array.isArray(template))
    return template.flatMap((one) => {
      const filled = fillTemplate(one, values);
      return filled === undefined ? [] : [filled];
    });
  const entries = Object.entries(template);
  const filled = entries.flatMap(([key, one]) => {
    const value = fillTemplate(one, values);
    return value === undefined ? [] : [[key, value] as const];
  });
  return entries.length > 0 && filled.length === 0 ? undefined : Object.fromEntries(filled);
}

/** Where a template is used: which placeholders it may have. */
export type TemplatePlace = 'shared' | 'row' | 'poll';

const allowedIn: Readonly<Record<TemplatePlace, readonly string[]>> = {
  shared: ['request_id', 'wants'],
  row: ['request_id', 'wants', 'row', 'row_key'],
  poll: ['ticket'],
};

export function findPlaceholderFaults(text: string, place: TemplatePlace): string[] {
  const faults: string[] = [];
  const rest = text.replace(placeholder, (all, name: string, field?: string, choice?: string) => {
    const known = { row: rowInputFields, wants: providerFieldNames }[name] as readonly string[];
    const isKnown = known ? known.includes(field ?? '') : field === undefined;
    if (!allowedIn[place].includes(name))
      faults.push(`${all} cannot be used here; use ${allowedIn[place].join(', ')}`);
    else if (!isKnown)
      faults.push(
        known ? `${all} is not a field; use ${known.join(', ')}` : `${all} has no fields`,
      );
    else if (choice !== undefined && name !== 'wants')
      faults.push(`${all}: only wants.FIELD can be followed by "?"`);
    return '';
  });
  if (/\{\{|\}\}/.test(rest)) faults.push(`${text} has a placeholder that cannot be read`);
  return faults;
}
