// Reads the stored fields of a result as text. Parsing them to objects and serializing them again
// would take most of the time of a page.
//
// They are stored in one of two forms. An answer of the directory has codes of layers, the number
// of fields of each, and a JSON array, `L1:13,L2:7["Ada","Byron",null,…]`: the values of those
// fields in the order of contract/jobs/layers.ts, where new fields may be added at the end of a
// layer. An answer of a provider behind the directory is a JSON object, display name → value.
import { type LayerCode, layerByCode } from '../../contract/jobs/layers.ts';
import type { ResultRecord } from './result.table.ts';

export interface FilledFields {
  /** Their display names. Rows with the same fields share one array. */
  readonly names: readonly string[];
  /** JSON text of an object: display name → value as text. */
  readonly text: string;
}

const quote = 34;
const backslash = 92;
const brace = 123;

/** Index after the JSON string that starts at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  throw new Error('the stored fields of a result are not valid JSON');
}

/** Index after the JSON number or null that starts at `at`. */
function endOfPlain(text: string, at: number): number {
  const comma = text.indexOf(',', at);
  return comma < 0 ? text.length - 1 : comma;
}

/** A stored value: its end, and its JSON text ('' for null). */
function readValue(stored: string, at: number): { readonly end: number; readonly text: string } {
  if (stored.charCodeAt(at) === quote) {
    const end = endOfString(stored, at);
    return { end, text: end - at > 2 ? stored.slice(at, end) : '' };
  }
  const end = endOfPlain(stored, at);
  return { end, text: stored.startsWith('null', at) ? '' : `"${Number(stored.slice(at, end))}"` };
}

type NameCache<Key> = Map<Key, readonly string[]>;
const namesCachedMax = 500;

function cacheNames<Key>(
  cached: NameCache<Key>,
  key: Key,
  list: () => readonly string[],
): readonly string[] {
  const known = cached.get(key);
  if (known) return known;
  const names = list();
  if (cached.size >= namesCachedMax) cached.clear();
  cached.set(key, names);
  return names;
}

interface LayerNames {
  readonly names: readonly string[];
  /** Each name as the start of a JSON member, after a comma. */
  readonly members: readonly string[];
  /** Of each place, a power of two. */
  readonly powers: readonly number[];
  /** By a sum of powers of two, one for each field with a value: there are more than 32 fields. */
  readonly cached: NameCache<number>;
}
const namesOfLayers = new Map<string, LayerNames>();

function readLayers(layers: string): LayerNames {
  const known = namesOfLayers.get(layers);
  if (known) return known;
  const names = layers.split(',').flatMap((layer) => {
    const [code, count] = layer.split(':');
    return layerByCode[code as LayerCode].fields.slice(0, Number(count));
  });
  const members = names.map((name) => `,${JSON.stringify(name)}:`);
  const powers = names.map((_name, place) => 2 ** place);
  const read = { names, members, powers, cached: new Map() };
  namesOfLayers.set(layers, read);
  return read;
}

function readListed(stored: string): FilledFields {
  const open = stored.indexOf('[');
  const { names, members, powers, cached } = readLayers(stored.slice(0, open));
  let text = '';
  let held = 0;
  let at = open + 1;
  for (let place = 0; at < stored.length - 1; place++) {
    const value = readValue(stored, at);
    if (value.text !== '') {
      text += members[place] + value.text;
      held += powers[place]!;
    }
    at = value.end + 1;
  }
  const list = () => names.filter((_name, place) => Math.floor(held / powers[place]!) % 2 === 1);
  return { names: cacheNames(cached, held, list), text: `{${text.slice(1)}}` };
}

const listedNames: NameCache<string> = new Map();

function readNamed(stored: string): FilledFields {
  const names: string[] = [];
  let text = '';
  for (let at = 1; stored.charCodeAt(at) === quote; ) {
    const nameEnd = endOfString(stored, at);
    const value = readValue(stored, nameEnd + 1);
    if (value.text !== '') {
      names.push(stored.slice(at + 1, nameEnd - 1));
      text += `,${stored.slice(at, nameEnd + 1)}${value.text}`;
    }
    at = value.end + 1;
  }
  return { names: cacheNames(listedNames, names.join(), () => names), text: `{${text.slice(1)}}` };
}

/**
 * Omits fields without a value and converts numbers to texts.
 * @param record fields: in one of the two forms, JSON without spaces, names without escapes, and
 *   values that are texts, numbers or null
 */
export function readFilled({ fields }: Pick<ResultRecord, 'fields'>): FilledFields {
  return fields.charCodeAt(0) === brace ? readNamed(fields) : readListed(fields);
}

/** The same fields as an object: display name → value. */
export function readFields(record: Pick<ResultRecord, 'fields'>): Record<string, string> {
  return JSON.parse(readFilled(record).text) as Record<string, string>;
}

/** The values of some fields; '' for one without a value. Faster than reading all fields. */
export function readSome(
  { fields }: Pick<ResultRecord, 'fields'>,
  names: readonly string[],
): string[] {
  if (fields.charCodeAt(0) === brace) {
    const values = JSON.parse(fields) as Record<string, unknown>;
    return names.map((name) => String(values[name] ?? ''));
  }
  const open = fields.indexOf('[');
  const listed = readLayers(fields.slice(0, open)).names;
  const places = names.map((name) => listed.indexOf(name));
  const found = names.map(() => '');
  const last = Math.max(...places);
  // Names of people are the first fields: what follows is not parsed.
  for (let place = 0, at = open + 1; place <= last && at < fields.length - 1; place++) {
    const { end, text } = readValue(fields, at);
    const wanted = places.indexOf(place);
    if (wanted >= 0 && text !== '') found[wanted] = JSON.parse(text) as string;
    at = end + 1;
  }
  return found;
}

export const readField = (record: Pick<ResultRecord, 'fields'>, name: string): string =>
  readSome(record, [name])[0] ?? '';
