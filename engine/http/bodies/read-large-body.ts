// Parses a large JSON body outside the HTTP thread. The result is small: lists of rows become a
// table on disk, and the number of other values is limited.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { z } from 'zod';
import { EngineError, type ErrorMessage, invalid } from '../../contract/errors.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import {
  jsonListValuesMax,
  jsonValuesMax,
  toolMessageValuesMax,
} from '../../contract/limits/http.ts';
import { jsonRowsMax } from '../../contract/limits/jobs.ts';
import { pipelineContactsMax } from '../../contract/limits/pipelines.ts';
import { validationEmailsMax } from '../../contract/limits/validations.ts';
import {
  contactsProblem,
  NewPipelineSchema,
  uuidsProblem,
} from '../../contract/pipelines/pipeline.ts';
import { emailsProblem, ValidateEmailsSchema } from '../../contract/validations.ts';
import type { PreparedInput } from '../../spreadsheet/prepared-input.ts';
import { writeRowsTable } from '../../spreadsheet/write-rows-table.ts';
import { parseWith } from './parse-with.ts';
import { describeTooMany, isObject, otherWays, readRows } from './read-given-rows.ts';
import { parseBody, requireText } from './read-json.ts';

// Counts the values of a JSON text without parsing it: a body of 32 MiB may contain eleven million
// values, which would need a gigabyte of memory. The text may be invalid; the parser reports that.

interface JsonMember {
  readonly name: string;
  /** Byte offsets of its value. */
  readonly start: number;
  readonly end: number;
  /** Number of values in it, including itself. */
  readonly values: number;
  /** Number of entries if it is an array, otherwise 0. */
  readonly entries: number;
}

interface JsonShape {
  /** Total number of values: objects, arrays, strings, numbers, true, false and null. */
  readonly values: number;
  /** The requested members of the top-level object, including duplicates. */
  readonly members: readonly JsonMember[];
}

const quote = 34;
const backslash = 92;
const comma = 44;
const colon = 58;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Offset of the quote that closes the string at `start`; the end of the text without one. */
function findTextEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return bytes.length;
}

/** Decodes a member name. An invalid string cannot be one of the requested names. */
function readName(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

interface OpenMember {
  readonly name: string;
  /** -1 until its first byte. */
  start: number;
  readonly valuesBefore: number;
  commas: number;
}

function closeMember(
  bytes: Buffer,
  open: OpenMember,
  end: number,
  valuesSoFar: number,
): JsonMember {
  const { name, start, valuesBefore, commas } = open;
  const values = valuesSoFar - valuesBefore;
  const isFilled = bytes[start] === openBracket && values > 1;
  return { name, start, end, values, entries: isFilled ? commas + 1 : 0 };
}

/**
 * Scans a text in one pass over its bytes.
 * @param bytes UTF-8
 * @param names the members of the top-level object to report
 * @param valuesMax the scan stops after this number of values and returns its result so far
 */
export function scanJson(
  bytes: Buffer,
  names: readonly string[],
  valuesMax = Number.POSITIVE_INFINITY,
): JsonShape {
  const members: JsonMember[] = [];
  const nameBytesMax = Math.max(0, ...names.map((name) => name.length)) * 6 + 2;
  let [values, depth, last, textStart, textEnd] = [1, 0, 0, 0, 0];
  let member: OpenMember | null = null;
  // Each value adds one: the first value of an array or object at its opening, the others at their
  // comma.
  for (let at = 0; at < bytes.length && values <= valuesMax; at += 1) {
    const byte = bytes[at] as number;
    if (byte <= 32) continue;
    if (member !== null && member.start < 0) member.start = at;
    if (byte === comma) {
      if (member !== null && depth === 1) {
        members.push(closeMember(bytes, member, at, values));
        member = null;
      } else if (member !== null && depth === 2) member.commas += 1;
      values += 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      values += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (member !== null && depth === 1) {
        members.push(closeMember(bytes, member, at, values));
        member = null;
      }
      depth -= 1;
      // An empty array or object has no first value.
      if (last === openBrace || last === openBracket) values -= 1;
    } else if (byte === quote) {
      const end = findTextEnd(bytes, at);
      if (depth === 1) [textStart, textEnd] = [at, end + 1];
      at = end;
    } else if (byte === colon && depth === 1 && textEnd - textStart <= nameBytesMax) {
      const name = readName(bytes.toString('utf8', textStart, textEnd));
      if (names.includes(name)) member = { name, start: -1, valuesBefore: values - 1, commas: 0 };
    }
    last = byte;
  }
  if (member !== null) members.push(closeMember(bytes, member, bytes.length, values));
  return { values, members };
}

/** A list in a body: the maximum number of entries, and the message if there are more. */
interface ListPlan {
  readonly entriesMax: number;
  readonly describe: (entries: number) => string;
}

const list = (entriesMax: number, describe: ListPlan['describe']): ListPlan => ({
  entriesMax,
  describe,
});

interface BodyPlan {
  readonly valuesMax: number;
  readonly lists: Readonly<Record<string, ListPlan>>;
  readonly table: 'rows' | 'contacts' | null;
  readonly schema: z.ZodType | null;
  /** Members that the route reads itself; all others are dropped. */
  readonly members: readonly string[] | null;
}

const plan = (parts: Partial<BodyPlan>): BodyPlan => ({
  valuesMax: jsonValuesMax,
  lists: {},
  table: null,
  schema: null,
  members: null,
  ...parts,
});

/** Plans of the routes that accept long lists. All other routes use the first plan. */
export const bodyPlans = {
  plain: plan({}),
  submission: plan({
    valuesMax: jsonListValuesMax,
    lists: { rows: list(jsonRowsMax, (count) => describeTooMany(count, otherWays.rows, 'rows')) },
    table: 'rows',
    members: ['selected_layers', 'title', 'row_count', 'rows'],
  }),
  pipeline: plan({
    valuesMax: jsonListValuesMax,
    lists: {
      contacts: list(jsonRowsMax, () => `contacts: ${contactsProblem}.`),
      uuids: list(pipelineContactsMax, () => `uuids: ${uuidsProblem}.`),
    },
    table: 'contacts',
    schema: NewPipelineSchema,
  }),
  validation: plan({
    lists: { emails: list(validationEmailsMax, () => `emails: ${emailsProblem}.`) },
    schema: ValidateEmailsSchema,
  }),
  messages: plan({ valuesMax: toolMessageValuesMax }),
} as const satisfies Record<string, BodyPlan>;
export type BodyPlanName = keyof typeof bodyPlans;

export interface WrittenTable {
  readonly input: PreparedInput;
  readonly mapping: ColumnMapping;
}

/** Result of a list of rows. A refusal is thrown when its turn in the order of refusals comes. */
export type RowsOutcome = { readonly table: WrittenTable } | { readonly refusal: ErrorMessage };

export interface ReadBody {
  readonly value: unknown;
  /** Result of the list of rows, if the value has one. The list is removed from the value. */
  readonly rows: RowsOutcome | null;
  /** SHA-256 of the checked value; null if no schema checked it. */
  readonly fingerprint: string | null;
}

export interface ReadBodyCommand {
  readonly path: string;
  readonly plan: BodyPlanName;
  readonly tableDir: string;
}

/** The fingerprint that a repeat must share: of the body as its schema returns it. */
export const fingerprintBody = (body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(['pipeline', body]))
    .digest('hex');

const describeRefusal = (error: unknown): RowsOutcome => {
  if (!(error instanceof EngineError)) throw error;
  return { refusal: { code: error.code, detail: error.detail } };
};

const describeValues = (max: number): string =>
  `The body has more than ${max} values. Send fewer at a time, or send a list as a CSV file in ` +
  'multipart/form-data if the route accepts one.';

/** Refuses a body with too many values. Throws `validation_error`. */
function requireFew({ values, members }: JsonShape, { valuesMax, lists, table }: BodyPlan): void {
  for (const { name, entries } of members) {
    const found = lists[name];
    if (found && entries > found.entriesMax) throw invalid(found.describe(entries));
  }
  const listed = members.reduce((sum, member) => sum + (lists[member.name] ? member.values : 0), 0);
  // Flat lists have their own limit; the values of rows count toward the limit of the body.
  const allowed = table === null ? valuesMax + listed : valuesMax;
  const flat = members.find(
    (member) => lists[member.name] && member.name !== table && member.values > member.entries + 1,
  );
  if (values > allowed) throw invalid(describeValues(valuesMax));
  if (flat) throw invalid(`${flat.name}: send an array of strings.`);
}

function isObjectText(bytes: Buffer): boolean {
  const first = bytes.findIndex((byte) => byte > 32);
  return bytes[first] === '{'.charCodeAt(0);
}

/** Parses the members that a route reads itself, without lists that are too long. */
function parseMembers(bytes: Buffer, shape: JsonShape, { lists }: BodyPlan): unknown {
  const parts = shape.members
    .filter(({ name, values }) => !(name in lists) && values <= jsonValuesMax)
    .map(({ name, start, end }) => `${JSON.stringify(name)}:${bytes.toString('utf8', start, end)}`);
  return parseBody(Buffer.from(`{${parts.join()}}`));
}

/** Keeps only the members that the route reads, and drops large values. */
function pickMembers(value: Record<string, unknown>, names: readonly string[]) {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    if (!Object.hasOwn(value, name)) continue;
    const member = value[name];
    // Duplicate codes collapse. No other of these members is a list or an object.
    if (Array.isArray(member)) picked[name] = [...new Set(member)].slice(0, jsonValuesMax);
    else picked[name] = isObject(member) ? {} : member;
  }
  return picked;
}

function writeTable(rows: unknown, name: 'rows' | 'contacts', dir: string): WrittenTable {
  const { mapping, headers, rows: rawValue } = readRows(rows, otherWays[name], name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  try {
    const { rowCount, sha256 } = writeRowsTable({ headers, rows: rawValue, targetDir: dir });
    return { input: { dir, headers, rowCount, sha256 }, mapping };
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/** Parses a body whose refusals have a fixed order. Those of rows wait for their turn. */
function readByHand(bytes: Buffer, shape: JsonShape, bodyPlan: BodyPlan, dir: string): ReadBody {
  const { table: name, members } = bodyPlan;
  if (!name || !members) throw new Error('this plan is not read by hand');
  let rows: RowsOutcome | null = null;
  try {
    requireFew(shape, bodyPlan);
  } catch (error) {
    rows = describeRefusal(error);
  }
  if (rows) {
    if (!isObjectText(bytes)) return { value: [], ...nothingElse };
    const value = parseMembers(bytes, shape, bodyPlan);
    const hasRows = shape.members.some((member) => member.name === name && member.values > 1);
    return { value, rows: hasRows ? rows : null, fingerprint: null };
  }
  const value = parseBody(bytes);
  if (!isObject(value)) return { value: Array.isArray(value) ? [] : value, ...nothingElse };
  const rawValue = value[name];
  const picked = pickMembers(value, members);
  if (!Array.isArray(rawValue) || rawValue.length === 0) return { value: picked, ...nothingElse };
  try {
    rows = { table: writeTable(rawValue, name, dir) };
  } catch (error) {
    rows = describeRefusal(error);
  }
  return { value: { ...picked, [name]: [] }, rows, fingerprint: null };
}

const nothingElse = { rows: null, fingerprint: null };

/** A body that a schema checks: all refusals have the same code, so they need no order. */
function readBySchema(bytes: Buffer, { table: name, schema }: BodyPlan, dir: string): ReadBody {
  const value = parseBody(bytes) ?? {};
  if (!schema) return { value, ...nothingElse };
  const rawValue = name && isObject(value) ? value[name] : undefined;
  // Stops at the first problem; the schema would collect a million.
  if (name && Array.isArray(rawValue)) readRows(rawValue, otherWays[name], name);
  const checked = parseWith(schema, value) as Record<string, unknown>;
  const fingerprint = fingerprintBody(checked);
  const rows = name ? checked[name] : undefined;
  if (!name || rows === undefined) return { value: checked, rows: null, fingerprint };
  const table = writeTable(rows, name, dir);
  return { value: { ...checked, [name]: [] }, rows: { table }, fingerprint };
}

/** Throws `validation_error` for no JSON, too many values, and what the schema refuses. */
export function readLargeBody({ path, plan: planName, tableDir }: ReadBodyCommand): ReadBody {
  const bodyPlan: BodyPlan = bodyPlans[planName];
  const bytes = readFileSync(path);
  requireText(bytes);
  // Bodies whose refusals have a fixed order are scanned completely.
  if (bodyPlan.members)
    return readByHand(bytes, scanJson(bytes, bodyPlan.members), bodyPlan, tableDir);
  const lists = Object.values(bodyPlan.lists);
  const enough = lists.reduce((sum, { entriesMax }) => sum + entriesMax, bodyPlan.valuesMax);
  requireFew(scanJson(bytes, Object.keys(bodyPlan.lists), enough), bodyPlan);
  return readBySchema(bytes, bodyPlan, tableDir);
}
