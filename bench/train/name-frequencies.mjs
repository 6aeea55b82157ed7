// Writes resources/matching/name-frequencies.txt.gz from lists of names: how common given names and
// surnames are in the population. `node bench/train/name-frequencies.mjs FOLDER`; the sources and
// their licences are in resources/matching/NOTICE.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { foldToAscii } from '../../engine/directory/normalize/fold-text.ts';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node bench/train/name-frequencies.mjs FOLDER');
  process.exit(2);
}

/** A rarer name is left out: errors of the registers are as common. People of a million. */
const perMillionMin = { given: 1.5, surname: 1 };
/** People of a million with the most popular name of a country; the k-th has this divided by k. */
const mostPopular = { given: 8_000, surname: 3_000 };
/** People of a million with a given name of a short list, which lacks the rarer ones. */
const listedMax = 400;
/** Half of all people have a given name of a list of one sex. */
const ofOneSex = 0.5;

const bySex = ['male', 'female', 'surname'].map(() => new Map());
const [male, female, surname] = bySex;

/** Folds as nameKey does for Latin letters: "Muñoz" is munoz, "De la Cruz" delacruz. */
const fold = (text) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[øđłßæœıþð]/g, (letter) => 'odlsaoitd'['øđłßæœıþð'.indexOf(letter)])
    .replace(/ß/g, 'ss')
    .replace(/[^a-z]/g, '');

/** Jürgen is also Juergen, and Søren Soeren. */
const writeDigraphs = (text) =>
  text.toLowerCase().replace(/[äöüøå]/g, (letter) => digraphs[letter]);
const digraphs = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** Keeps the largest share that any country has. */
function add(into, text, perMillion, isGiven) {
  // Two given names are counted with neither.
  if (isGiven && /\s/.test(text.trim())) return;
  for (const written of [text, writeDigraphs(text)]) {
    const name = fold(written);
    if (name.length >= 2) into.set(name, Math.max(into.get(name) ?? 0, perMillion));
  }
}

const linesOf = (file) =>
  readFileSync(join(folder, file), 'utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter(Boolean);

function addShares(file, into) {
  const isGiven = into !== surname;
  for (const line of linesOf(file).slice(1)) {
    const at = line.lastIndexOf(',');
    const share = Number(line.slice(at + 1)) * (isGiven ? ofOneSex : 1);
    add(into, line.slice(0, at).replaceAll('"', ''), share, isGiven);
  }
}

/** Endings of surnames → those of the same names of women, by the country of a list. */
const feminine = [
  [/^(?:AZ|BG|BY|KG|KZ|MK|RU|TJ|TM|UA|UZ)$/, /(?<=[oe]v|in|yn)$/, 'a'],
  [/^(?:BG|BY|MK|PL|RU|UA)$/, /(?<=[sc]k)(?:i|y|iy)$/, 'a'],
  [/^(?:BY|RU|UA)$/, /(?<=[sc]k)(?:i|y|iy)$/, 'aya'],
  [/^(?:CZ|SK)$/, /y$/, 'a'],
  [/^(?:CZ|SK)$/, /ek$/, 'kova'],
  [/^(?:CZ|SK)$/, /ec$/, 'cova'],
  [/^(?:CZ|SK)$/, /(?<=[^aouy])(?<!e[kc])$|(?<!ov)a$/, 'ova'],
  [/^LT$/, /as$/, 'aite'],
  [/^LT$/, /[iy]s$/, 'yte'],
  [/^LT$/, /us$/, 'ute'],
  [/^LV$/, /is$/, 'e'],
  [/^LV$/, /(?<!i)s$/, 'a'],
  [/^GR$/, /os$/, 'ou'],
  [/^GR$/, /(?<=[ia])s$/, ''],
];

function addFeminine(country, text, perMillion) {
  const name = fold(text);
  for (const [countries, ending, ofWomen] of feminine)
    if (countries.test(country) && ending.test(name))
      add(surname, name.replace(ending, ofWomen), perMillion, false);
}

/** Fields of a line; none of these files has a comma or a quote inside a name that matters. */
function addRanks(file, { sexAt, nameAt, rankAt }) {
  for (const line of linesOf(file).slice(1)) {
    const fields = line.replace(/"[^"]*"/g, '').split(',');
    const isGiven = sexAt >= 0;
    const into = isGiven ? (fields[sexAt] === 'M' ? male : female) : surname;
    const most = isGiven ? mostPopular.given * ofOneSex : mostPopular.surname;
    const perMillion = most / Math.max(1, Number(fields[rankAt]));
    add(into, fields[nameAt] ?? '', perMillion, isGiven);
    if (!isGiven) addFeminine(fields[0], fields[nameAt] ?? '', perMillion);
  }
}

addShares('us_surnames_2010.csv', surname);
addShares('es_surnames_2020.csv', surname);
for (const file of ['us_given_male_1940_2018', 'es_given_male_2020', 'pl_given_male'])
  addShares(`${file}.csv`, male);
for (const file of ['us_given_female_1940_2018', 'pl_given_female'])
  addShares(`${file}.csv`, female);
addRanks('world_common-forenames-by-country.csv', { sexAt: 9, nameAt: 11, rankAt: 7 });
addRanks('world_common-surnames-by-country.csv', { sexAt: -1, nameAt: 5, rankAt: 1 });

/**
 * Given names of adults, of lists that say no more than that people of a country have them. The
 * name in the middle of such a list stands for each, as if the k-th were had k times less.
 */
async function addLists() {
  const { allLocales } = await import(
    join(folder, 'node_modules', '@faker-js', 'faker', 'dist', 'index.js')
  );
  const men = new Map(male);
  const women = new Map(female);
  for (const [locale, { person }] of Object.entries(allLocales))
    for (const [sex, into, other, ofSex, ofOther] of [
      ['male', male, female, men, women],
      ['female', female, male, women, men],
    ]) {
      // The names of the United States are counted.
      const names = locale === 'en' ? [] : (person?.first_name?.[sex] ?? []);
      const harmonic = names.reduce((sum, _name, at) => sum + 1 / (at + 1), 0);
      const middle = (1e6 * ofOneSex) / (harmonic * (names.length / 2));
      const share = Math.min(middle, listedMax);
      for (const name of names) {
        const isLatin = /^[\p{sc=Latin}\p{M}'’ -]+$/u.test(name);
        const written = isLatin ? name : foldToAscii(name);
        // A list says nothing of the other sex, which keeps its part of a counted name.
        const [counted, rest] = [ofSex, ofOther].map((of) => of.get(fold(written)) ?? 0);
        if (rest > counted) continue;
        if (rest > 0 && counted < share) add(other, written, (rest * share) / counted, true);
        add(into, written, share, true);
      }
    }
}
await addLists();

/** Half a power of two: the classes differ by a factor of 1.41, and 1 in a million is class 0. */
const classOf = (perMillion) => Math.round(2 * Math.log2(perMillion));

const lines = [];
for (const [at, kind] of ['male', 'female', 'surname'].entries()) {
  const least = kind === 'surname' ? perMillionMin.surname : perMillionMin.given * ofOneSex;
  const kept = [...bySex[at]].filter(([, perMillion]) => perMillion >= least);
  const classes = Map.groupBy(kept, ([, perMillion]) => classOf(perMillion));
  for (const [number, names] of [...classes].sort((one, other) => other[0] - one[0]))
    lines.push(
      `${kind} ${number} ${names
        .map(([name]) => name)
        .sort()
        .join(' ')}`,
    );
}
const path = join(import.meta.dirname, '../../resources/matching/name-frequencies.txt.gz');
writeFileSync(path, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
console.log(`${lines.length} classes → ${path}`);
