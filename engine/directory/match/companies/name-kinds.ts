// The kind of organisation that a name states: its sector and its legal form.

const words = (text: string): readonly string[] => text.split(' ');

/** Words of organisationTokens with which the name of a unit of an organisation begins. */
export const unitWords: ReadonlySet<string> = new Set(
  words(
    'departments division faculty schools colleges institution centers laboratories chair ' +
      'section unit clinic program programme key state offices research groups fakultat facultad ' +
      'faculte facolta faculdade lehrstuhl abteilung dipartimento graduate',
  ),
);
/** Those with which it may also end: "Physics Department". */
export const endingUnits: ReadonlySet<string> = new Set(
  words('departments division faculty section fakultat fakulteta'),
);

/** Words of organisationTokens that state a sector. */
const sectorOfWord: ReadonlyMap<string, string> = new Map(
  (
    [
      [
        'education',
        'universities colleges schools academies institution seminary educational polytechnic ' +
          'kindergarten preschool campus conservatory yeshiva',
      ],
      ['health', 'hospitals medicine clinic healthcare health surgery rehabilitation hospice'],
      [
        'business',
        'bancorporation bank bancshares technological holdings pharmaceuticals therapeutics ' +
          'acquisition capital financial energy systems software biosciences petroleum partners ' +
          'royalties realty trust silver gold mining insurance properties motors semiconductor',
      ],
      ['hospitality', 'hotel motel brewery pizzeria'],
      ['retail', 'pharmacy shopping supermarket bookstore'],
      ['religion', 'church churches parish diocese cathedral synagogue mosque cemetery'],
      ['government', 'government departments senate representatives county ministry township'],
    ] as const
  ).flatMap(([sector, list]) => words(list).map((word) => [word, sector] as const)),
);

/** Kinds of organisations of one sector, next to the word for it: "Hilbert State College". */
export const qualifiers: ReadonlySet<string> = new Set(
  words(
    'state community technological county christian baptist catholic lutheran methodist jewish ' +
      'islamic city municipal district regional vocational junior women children',
  ),
);
const qualifiersOfMany: ReadonlySet<string> = new Set(
  words(
    'state community technological county city municipal district regional vocational junior ' +
      'women children general memorial centers groups',
  ),
);

/** Whether a name is that of one or more organisations in most places: "Regional Hospital". */
export const isNameOfMany = (tokens: readonly string[]): boolean =>
  tokens.every(
    (word) =>
      ['education', 'health'].includes(sectorOfWord.get(word) ?? '') || qualifiersOfMany.has(word),
  );

/** How the sectors of two names agree. */
export const sectorLevels = ['unknown', 'same', 'stated', 'held', 'other'] as const;
export type SectorLevel = (typeof sectorLevels)[number];

const sectorsOf = (name: readonly { readonly text: string }[]): ReadonlySet<string> =>
  new Set(name.map(({ text }) => sectorOfWord.get(text) ?? '').filter((sector) => sector !== ''));

/** Compares the sectors that the words of two names state. */
export function compareSectors(
  stated: readonly { readonly text: string }[],
  held: readonly { readonly text: string }[],
): SectorLevel {
  const [one, two] = [sectorsOf(stated), sectorsOf(held)];
  if (one.size === 0) return two.size === 0 ? 'unknown' : 'held';
  if (two.size === 0) return 'stated';
  const shared = [...one].filter((sector) => two.has(sector)).length;
  if (shared === 0) return 'other';
  const [isWithin, isWithout] = [shared === one.size, shared === two.size];
  if (isWithin === isWithout) return 'same';
  return isWithin ? 'held' : 'stated';
}

/** How the legal forms of two names agree. */
export const formLevels = ['none', 'same', 'one', 'other'] as const;
export type FormLevel = (typeof formLevels)[number];

/**
 * Legal forms, each with those of another kind in the same countries: companies without shares and
 * with them, partnerships, associations. A company that becomes another one of its kind stays the
 * same: AG and SE, Ltd and PLC.
 */
const otherForms: Readonly<Record<string, string>> = {
  gmbh: 'ag se',
  ug: 'ag se',
  sarl: 'sa se',
  sas: 'sa se',
  sl: 'sa se',
  srl: 'spa sa se',
  bv: 'nv se',
  ooo: 'ao oao pao zao',
  llp: 'ltd limited plc',
  ev: 'gmbh ug ag se kg',
  eg: 'gmbh ug ag se kg',
};
const isPair = (one: string, other: string): boolean =>
  otherForms[one]?.split(' ').includes(other) ?? false;

/**
 * Legal forms that few countries have, with those countries. English forms and those of many
 * countries, "Ltd" and "SA", are none: lists write them for others. By hand: the source of
 * legal_forms.csv names no countries.
 */
const countriesOfForm: Readonly<Record<string, string>> = {
  gmbh: 'DE AT CH LI LU',
  ag: 'DE AT CH LI',
  kg: 'DE AT',
  ug: 'DE',
  bv: 'NL BE',
  nv: 'NL BE',
  ab: 'SE FI',
  oy: 'FI',
  oyj: 'FI',
  as: 'NO DK CZ SK TR EE LV',
  asa: 'NO',
  aps: 'DK',
  spzoo: 'PL',
  sro: 'CZ SK',
  kft: 'HU',
  zrt: 'HU',
  nyrt: 'HU',
  spa: 'IT CL DZ',
  srl: 'IT RO BE MD AR ES CH',
  sarl: 'FR LU CH MA TN DZ LB SN CI',
  sas: 'FR CO IT AR DO',
  sl: 'ES',
  sacv: 'MX',
  ltda: 'BR PT CL CO CR',
  doo: 'RS HR SI BA ME MK',
  ood: 'BG',
  eood: 'BG',
  ooo: 'RU BY KZ KG UZ UA',
  kk: 'JP',
  sdn: 'MY BN',
  bhd: 'MY BN SG',
  pt: 'ID',
  tbk: 'ID',
  fze: 'AE',
};
/** The countries that have a legal form; none if many do. */
const listCountries = (form: string): readonly string[] =>
  form.split(' ').flatMap((one) => countriesOfForm[one]?.split(' ') ?? []);

/** Whether a code is that of a country that has a legal form which few countries have. */
export const isCountryOfForm = (form: string, code: string): boolean =>
  listCountries(form).includes(code);

/**
 * Whether a legal form is that of another company: of another kind ("Acme AG", "Acme GmbH"), of
 * another country than the company's form ("Acme KK"), or of none where the company is.
 */
export function areOtherForms(one: string, other: string, country = ''): boolean {
  // "AS" for "SA" is a slip.
  if (one === '' || [...one].sort().join('') === [...other].sort().join('')) return false;
  if (isPair(one, other) || isPair(other, one)) return true;
  const [stated, held] = [listCountries(one), listCountries(other)];
  if (stated.length === 0) return false;
  const isForeign = held.length > 0 && !stated.some((code) => held.includes(code));
  return isForeign || (country !== '' && other !== '' && !stated.includes(country));
}

export function compareForms(stated: string, held: string): FormLevel {
  if (stated === '' && held === '') return 'none';
  if (stated === '' || held === '') return 'one';
  return stated === held ? 'same' : 'other';
}
