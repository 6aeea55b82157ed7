// Writes resources/reference/organisation_words.csv from org-symbols.yml (opensanctions/rigour,
// MIT) and place-kinds.yml (OpenStreetMap presets, ISC):
// `npx node scripts/reference/generate-organisation-words.mjs`.
//
// Only single words are taken. Groups that name an organisation, and words that another group has
// too, are left out.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const here = import.meta.dirname;
const namedGroups = new Set(['alqaeda', 'hezbollah', 'irgc', 'pla', 'ccp', 'cia']);
/** Notes about a company, which say nothing of its kind. */
const noteGroups = new Set(['named', 'socalled', 'liquidation', 'repoff']);
/** Latin words of so few letters are initials more often. */
const latinLettersMin = 4;

/** What the groups of a section say: the kind of an organisation, or its sector. */
const sayings = { org_symbols: 'kind', org_domains: 'sector' };

/** The table: a word, its group and what the group says in each line. */
export function listOrganisationWords() {
  const [symbols, places] = ['org-symbols.yml', 'place-kinds.yml'].map((file) =>
    parse(readFileSync(join(here, file), 'utf8')),
  );
  /** @type {Map<string, Set<string>>} */
  const groupsOf = new Map();
  /** @type {Map<string, string>} */
  const sayingOf = new Map();
  for (const [section, saying] of Object.entries(sayings))
    for (const [group, aliases] of [symbols, places].flatMap((source) =>
      Object.entries(source[section] ?? {}),
    )) {
      if (namedGroups.has(group) || noteGroups.has(group)) continue;
      sayingOf.set(group, saying);
      for (const alias of aliases) {
        const word = String(alias).toLowerCase().normalize('NFC').trim();
        if (!/^[\p{L}\p{M}]+$/u.test(word)) continue;
        if (/^\p{Script=Latin}+$/u.test(word) && word.length < latinLettersMin) continue;
        groupsOf.set(word, (groupsOf.get(word) ?? new Set()).add(group));
      }
    }
  const lines = [...groupsOf]
    .filter(([, groups]) => groups.size === 1)
    .map(([word, [group]]) => `${word},${group},${sayingOf.get(group ?? '')}`);
  return ['word,group,says', ...lines.sort()].join('\n').concat('\n');
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(
    join(here, '../../resources/reference/organisation_words.csv'),
    listOrganisationWords(),
  );
