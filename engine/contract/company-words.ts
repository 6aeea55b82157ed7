// Words without weight in company names, and the initials of the others. In lower case.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Legal forms, which are removed from the end of a name. */
export const legalForms = words(`
  inc incorporated llc llp lp lllp pllc pc corp corporation co company cos companies ltd limited
  plc gmbh ag kg kgaa ohg ug mbh se sa sas sarl sasu snc spa srl srls bv nv cv vof ab as asa aps
  oy oyj kk gk pty pte pvt private ltda eireli sl slu sab cv sapi rl sc sociedad anonima ev eg
  zrt kft doo dd ad ead eood ooo oao zao pao sro spzoo jsc pjsc bhd sdn tbk pt 株 有 public
  aktiebolag aksjeselskap anpartsselskab ou hf ehf bvba cvba sprl scrl sia uab holdings
  holding
`);

/** Words without weight in a name. */
export const fillerWords = words('of the and for at in on de la le les los las el du des y et und');

/** Short forms that also begin a name. In Latin letters, others are words of names there. */
export const leadingForms = words(
  'ooo oao zao pao nao ojsc pjsc cjsc jsc llc ltd uab sia tov srl 株 有',
);

/** Words that a legal form has at most: "Sp. z o.o.". */
const formWordsMax = 3;

/** How many words at the end are one legal form, or filler. */
function countLastWords(folded: readonly string[]): number {
  for (let count = Math.min(formWordsMax, folded.length); count > 0; count -= 1)
    if (legalForms.has(folded.slice(-count).join(''))) return count;
  return fillerWords.has(folded.at(-1) ?? '') ? 1 : 0;
}

const isLead = (word: string): boolean => leadingForms.has(word) || fillerWords.has(word);
/** Particles, in a name whose other words have capitals: "Universität zu Köln". */
const isSmall = (word: string): boolean =>
  word === word.toLowerCase() && word !== word.toUpperCase();

/** First letters of the first two words with weight: "The Bosch Group GmbH & Co. KG" has "BG". */
export function initialsOf(name: string): string {
  const joined = name.normalize('NFKC').replace(/(?<!\p{L})(\p{L})\.(?=\s?\p{L})/gu, '$1');
  const all = joined.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’&]*/gu) ?? [];
  const folded = all.map((word) => word.toLowerCase());
  let from = 0;
  while (from < all.length - 1 && isLead(folded[from] ?? '')) from += 1;
  let to = all.length;
  let last = countLastWords(folded.slice(from));
  while (last > 0 && to - last > from) {
    to -= last;
    last = countLastWords(folded.slice(from, to));
  }
  const weighty = all.slice(from, to).filter((word) => !fillerWords.has(word.toLowerCase()));
  const large = weighty.filter((word) => !isSmall(word));
  const shown = [large, weighty, all].find(({ length }) => length > 0) ?? [];
  return shown
    .slice(0, 2)
    .map((word) => ([...word][0] ?? '').toUpperCase())
    .join('');
}
