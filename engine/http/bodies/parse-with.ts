// Parses values with their schemas and reports where a value is invalid.
import type { z } from 'zod';
import { invalid } from '../../contract/errors.ts';
import { issueCharactersMax } from '../../contract/limits/http.ts';
import { explainIssue } from './explain-issue.ts';

// A name in the request, or a list of names, may be as long as the body.
const shorten = (text: string): string =>
  text.length > issueCharactersMax ? `${text.slice(0, issueCharactersMax)}…` : text;

/** Where a value is invalid, as a JSON path, and why: `rows[3].email: …`. */
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

/** The first problems of a value; if `issuesMax` is above 1, also how many more there are. */
export function describeIssues({ issues }: z.ZodError, root = '', issuesMax = 1): string {
  if (issues.length === 0) return 'The request is not valid.';
  const said = issues.slice(0, issuesMax).map((issue) => describeIssue(issue, root));
  const more = issues.length - said.length;
  return `${said.join(' ')}${issuesMax > 1 && more > 0 ? ` And ${more} more.` : ''}`;
}

/**
 * Parses a value with its schema. Throws `validation_error` with the JSON path of the first
 * problem.
 * @param root first part of the path
 * @param issuesMax how many problems are listed
 */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  root = '',
  issuesMax = 1,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: explainIssue });
  if (parsed.success) return parsed.data;
  throw invalid(describeIssues(parsed.error, root, issuesMax));
}
