/** The identifiers of a person in the stored fields of a result, whatever their form. */
import { type LayerCode, layerByCode } from '../contract/jobs/layers.ts';
import { fieldKeys } from '../directory/normalize/field-keys.ts';
import { emptySubject, type Subject } from './subject.ts';

/** Display name → value, of either form of `result.fields`. */
export function readStoredFields(stored: string): Record<string, string> {
  const open = stored.indexOf('[');
  if (stored.startsWith('{') || open < 0)
    return JSON.parse(stored === '' ? '{}' : stored) as Record<string, string>;
  const names = stored
    .slice(0, open)
    .split(',')
    .flatMap((layer) => {
      const [code, count] = layer.split(':');
      return layerByCode[code as LayerCode].fields.slice(0, Number(count));
    });
  const values = JSON.parse(stored.slice(open)) as (string | number | null)[];
  return Object.fromEntries(
    values.flatMap((value, at) => (value === null ? [] : [[names[at] ?? '', String(value)]])),
  );
}

const filled = (values: readonly string[]) => values.filter((value) => value !== '');

/** The identifiers among the values of a person, by display name. */
export function readIdentifiers(fields: Readonly<Record<string, string>>): Subject {
  const texts = (...names: string[]) => names.map((name) => fields[name] ?? '');
  const phones = texts('Mobile phone', 'Direct phone').map((text) => fieldKeys.phone(text, null));
  return {
    ...emptySubject,
    emails: filled(texts('Email', 'New email').map(fieldKeys.email)),
    profiles: filled(texts('Profile URL').map(fieldKeys.profile_url)),
    phones: filled(phones),
  };
}
