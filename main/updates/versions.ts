/** Compares versions of the app by the rules of Semantic Versioning 2.0.0, section 11. */

interface Version {
  readonly numbers: readonly number[];
  /** Identifiers of a pre-release, such as `beta` and `2`; empty for a release. */
  readonly before: readonly string[];
}

const pattern =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** The parts of a version; null for a text that is none. */
function readVersion(text: string): Version | null {
  const [, major, minor, patch, before] = pattern.exec(text) ?? [];
  if (major === undefined) return null;
  return {
    numbers: [major, minor, patch].map(Number),
    before: before === undefined ? [] : before.split('.'),
  };
}

const isNumber = (identifier: string): boolean => /^\d+$/.test(identifier);

function compareIdentifiers(one: string, other: string): number {
  if (isNumber(one) && isNumber(other)) return Number(one) - Number(other);
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

function compareBefore(one: readonly string[], other: readonly string[]): number {
  // A release is newer than its pre-releases.
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [at, identifier] of one.entries()) {
    const against = other[at];
    if (against === undefined) return 1;
    const order = compareIdentifiers(identifier, against);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** Below 0 if `one` is older, above 0 if it is newer; null if one of them is no version. */
export function compareVersions(one: string, other: string): number | null {
  const [left, right] = [readVersion(one), readVersion(other)];
  if (!left || !right) return null;
  const at = left.numbers.findIndex((number, index) => number !== right.numbers[index]);
  if (at >= 0) return (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
  return compareBefore(left.before, right.before);
}

export const isPreRelease = (version: string): boolean =>
  (readVersion(version)?.before.length ?? 0) > 0;
