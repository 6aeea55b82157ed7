/** Reads values by their schemas, and says where one is wrong. */
import type { z } from 'zod';
import { EngineError } from '../../contract/errors.ts';
import { issueCharactersMax } from '../../contract/limits/http.ts';
import { explainIssue } from './explain-issue.ts';

// A name that was sent, or a list of names, may be as long as a body.
const shorten = (text: string): string =>
  text.length > issueCharactersMax ? `${text.slice(0, issueCharactersMax)}…` : text;

/** Where a value is wrong, as a JSON path, and how: `rows[3].email: …`. */
function describeIssue(issue: z.core.$ZodIssue, root: string): string {
  const path = issue.path.reduce<string>(
    (text, step) =>
      typeof step === 'number'
        ? `${text}[${step}]`
        : text
          ? `${text}.${String(step)}`
          : `${String(step)}`,
    root,
  );
  const message = shorten(issue.message);
  return path ? `${shorten(path)}: ${message}.` : `${message}.`;
}

/** The first offences in a value; if several are asked for, how many more there are. */
export function describeIssues({ issues }: z.ZodError, root = '', issuesMax = 1): string {
  if (issues.length === 0) return 'The request is not valid.';
  const said = issues.slice(0, issuesMax).map((issue) => describeIssue(issue, root));
  const more = issues.length - said.length;
  return `${said.join(' ')}${issuesMax > 1 && more > 0 ? ` And ${more} more.` : ''}`;
}

/**
 * Reads a value by its schema. Throws `validation_error` with the JSON path of the first offence.
 * @param root what the path begins with
 * @param issuesMax how many offences are named
 */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root = '',
  issuesMax = 1,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: explainIssue });
  if (parsed.success) return parsed.data;
  throw new EngineError('validation_error', describeIssues(parsed.error, root, issuesMax));
}
