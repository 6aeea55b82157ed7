/** The table of legal forms is what its script makes of the kept source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resourcesDir } from '../../engine/platform/paths.ts';
import { listLegalForms } from '../../scripts/reference/generate-legal-forms.mjs';

test('the table is generated from the kept source', () => {
  const shipped = readFileSync(join(resourcesDir(), 'reference', 'legal_forms.csv'), 'utf8');
  expect(shipped).toBe(listLegalForms());
});
