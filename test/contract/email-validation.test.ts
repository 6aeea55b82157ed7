// The table of statuses and reasons, in the contract and in the documentation.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emailStatuses } from '../../engine/contract/jobs/job.ts';
import { isDecided, statusOfReason, validationReasons } from '../../engine/contract/validations.ts';

test('the documentation lists every reason with its status and sentence, and no other', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
  const section = text.slice(text.indexOf('## Email validation'));
  const rows = [...section.slice(0, section.indexOf('\n## ', 3)).matchAll(/^\| `.*$/gm)];
  expect(rows.map(([row]) => row)).toEqual(
    Object.entries(validationReasons).map(
      ([reason, { status, sentence }]) => `| \`${status}\` | \`${reason}\` | ${sentence} |`,
    ),
  );
});

test('every status has a reason, and all but unknown are charged', () => {
  expect(new Set(Object.values(validationReasons).map(({ status }) => status))).toEqual(
    new Set(emailStatuses),
  );
  expect(emailStatuses.filter((status) => !isDecided(status))).toEqual(['unknown']);
  expect(isDecided(statusOfReason('network_unavailable'))).toBe(false);
});
