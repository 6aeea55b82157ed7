// Replaces the texts in a JSON value that name a person.
import { deletedMarker } from '../suppression/hidden-rows.ts';
import type { Matcher } from './subject.ts';

type Test = (text: string) => boolean;

function redact(value: unknown, isNamed: Test): unknown {
  if (typeof value === 'string') return isNamed(value) ? deletedMarker : value;
  if (Array.isArray(value)) return value.map((one) => redact(one, isNamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, redact(one, isNamed)]),
  );
}

/**
 * The same JSON text with the marker in the place of every text that names the person. If a name
 * and an employer are in several texts, those with the name are replaced.
 */
export function redactJson(json: string, matcher: Matcher): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Arguments in a log are cut.
    return JSON.stringify({ deleted: deletedMarker });
  }
  const tests: readonly Test[] = [matcher.names, matcher.hasName, matcher.hasPart];
  let redacted = json;
  let isNamed: Test = () => false;
  for (const test of tests) {
    const before = isNamed;
    isNamed = (text) => before(text) || test(text);
    redacted = JSON.stringify(redact(value, isNamed));
    if (!matcher.names(redacted)) break;
  }
  return redacted;
}
