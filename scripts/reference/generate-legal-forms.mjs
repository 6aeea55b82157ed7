// Writes resources/reference/legal_forms.csv from org-types.yml (opensanctions/rigour, MIT):
// `npx node scripts/reference/generate-legal-forms.mjs`.
//
// Forms of public bodies, charities, cooperatives and banks are left out, because they are a part
// of the name.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const here = import.meta.dirname;
const companyKinds = new Set(['LLC', 'JSC', 'LLP', 'LP', 'GP', 'SP']);

/** The table: an alias and its form in each line: alias, form. */
export function listLegalForms() {
  const { types } = parse(readFileSync(join(here, 'org-types.yml'), 'utf8'));
  /** @type {Map<string, string>} */
  const lines = new Map();
  for (const { display, compare, generic, aliases = [] } of types) {
    if (!companyKinds.has(generic)) continue;
    const form = (compare || display || generic || '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    for (const alias of [display, ...aliases]) {
      if (!alias || !form) continue;
      const cell = alias.toLowerCase().replace(/[",]/g, ' ').trim();
      if (!lines.has(cell)) lines.set(cell, `${cell},${form}`);
    }
  }
  return ['alias,form', ...[...lines.values()].sort()].join('\n').concat('\n');
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(here, '../../resources/reference/legal_forms.csv'), listLegalForms());
