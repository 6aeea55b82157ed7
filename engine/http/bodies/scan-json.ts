/**
 * Counts the values of a JSON text without parsing it: a body of 32 MiB may contain eleven million
 * values, which would need a gigabyte of memory. The text may be invalid; the parser reports that.
 */

/** A member of the top-level object. */
export interface JsonMember {
  readonly name: string;
  /** Byte offsets of its value. */
  readonly start: number;
  readonly end: number;
  /** Number of values in it, including itself. */
  readonly values: number;
  /** Number of entries if it is an array, otherwise 0. */
  readonly entries: number;
}

/** Size of a JSON text. */
export interface JsonShape {
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

/**
 * Offset of the closing quote of the string that starts at `start`; the end of the text if there is
 * none.
 */
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

/** A member whose end has not been reached. */
interface OpenMember {
  readonly name: string;
  /** -1 until its first byte. */
  start: number;
  readonly valuesBefore: number;
  commas: number;
}

/** Completes a member when its end is known. */
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
