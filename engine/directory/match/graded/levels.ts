// How far a row and a person agree, in steps. The names are part of the keys of the weights.

type Numbered<Name extends string> = Readonly<Record<Name, number>>;
const numbered = <Name extends string>(names: readonly Name[]): Numbered<Name> =>
  Object.fromEntries(names.map((name, at) => [name, at])) as Numbered<Name>;

/** Agreement of a surname, with the coarser group that interactions use. */
const lastLevelGroups = {
  exact: 'exact',
  other: 'exact',
  core: 'exact',
  part_held: 'part',
  part_given: 'part',
  part_both: 'part',
  typo1: 'typo',
  typo2: 'typo',
  typo3: 'typos',
  typo4: 'typos',
  typo5: 'far',
  part_typo: 'far',
  cut: 'typos',
  sound: 'far',
  two_names: 'two_names',
  initial: 'initial',
  missing: 'missing',
  none: 'none',
} as const;

/** Agreement of a given name, with its group. */
const firstLevelGroups = {
  exact: 'exact',
  second: 'second',
  given: 'exact',
  other: 'exact',
  nickname: 'nickname',
  sibling: 'sibling',
  middle: 'middle',
  middle_nickname: 'middle_nickname',
  typo1: 'typo',
  typo2: 'typo',
  typo3: 'typos',
  typo4: 'typos',
  typo5: 'far',
  cut4: 'cut',
  cut3: 'cut',
  longer: 'cut',
  cut_known: 'cut_known',
  spelling: 'spelling',
  similar: 'none',
  similar_rare: 'far',
  sound: 'far',
  sound_known: 'none',
  spelled: 'spelled',
  spelled_part: 'spelled',
  initial: 'initial',
  initials: 'initial',
  other_initial: 'initial',
  held_initial: 'initial',
  later_initial: 'weak_initial',
  middle_initial: 'weak_initial',
  missing: 'missing',
  different: 'none',
  uncommon: 'uncommon',
  peer: 'peer',
} as const;

/** Agreement of the organisation with the best of a person's employers, with its group. */
const orgLevelGroups = {
  absent: 'absent',
  a: 'same',
  b: 'same',
  c: 'alike',
  d: 'alike',
  e: 'weak',
  f: 'weak',
  unknown: 'unknown',
  other: 'other',
} as const;

/** A level of each kind. */
export type LastLevel = keyof typeof lastLevelGroups;
export type FirstLevel = keyof typeof firstLevelGroups;
export type OrgLevel = keyof typeof orgLevelGroups;

const keysOf = <Name extends string>(table: Readonly<Record<Name, string>>): readonly Name[] =>
  Object.keys(table) as Name[];
const groupsOf = <Group extends string>(
  table: Readonly<Record<string, Group>>,
): readonly Group[] => [...new Set(Object.values(table))];

/** The levels in order. */
export const lastLevels = keysOf<LastLevel>(lastLevelGroups);
export const firstLevels = keysOf<FirstLevel>(firstLevelGroups);
export const orgLevels = keysOf<OrgLevel>(orgLevelGroups);
/** The groups in order. */
export const lastGroups = groupsOf(lastLevelGroups);
export const firstGroups = groupsOf(firstLevelGroups);
export const orgGroups = groupsOf(orgLevelGroups);

/** Number of each level. */
export const last = numbered(lastLevels);
export const first = numbered(firstLevels);
export const org = numbered(orgLevels);
/** Number of each group. */
export const lastGroup = numbered(lastGroups);
export const firstGroup = numbered(firstGroups);
export const orgGroup = numbered(orgGroups);

/** Number of the group of each level. */
export const groupOfLast = lastLevels.map((level) => lastGroup[lastLevelGroups[level]]);
export const groupOfFirst = firstLevels.map((level) => firstGroup[firstLevelGroups[level]]);
export const groupOfOrg = orgLevels.map((level) => orgGroup[orgLevelGroups[level]]);

/** Which cells a reading takes its name from. */
export const readingBases = [
  'given',
  'name_and_org',
  'joined',
  'crossed',
  'shifted',
  'display',
  'mailbox',
] as const;
/** What a reading does with the words of those cells. */
const readingVariants = [
  'plain',
  'comma',
  'reversed',
  'reversed_long',
  'lone',
  'two_surnames',
  'swapped',
  'middle_in_last',
  'surname_in_first',
  'surname_first',
] as const;
export type ReadingBase = (typeof readingBases)[number];
export type ReadingVariant = (typeof readingVariants)[number];
const baseNumber = numbered(readingBases);
const variantNumber = numbered(readingVariants);

/** Number of a kind of reading. */
export const readingKind = (base: ReadingBase, variant: ReadingVariant): number =>
  baseNumber[base] * readingVariants.length + variantNumber[variant];
/** The kinds of readings in the order of their numbers. */
export const readingKinds: readonly string[] = readingBases.flatMap((base) =>
  readingVariants.map((variant) => `${base}_${variant}`),
);

/** How an identifier of the row belongs to a person. */
export const identifierKinds = [
  'email',
  'email_shared',
  'email_many',
  'email_role',
  'email_near',
  'email_local',
  'url',
  'url_shared',
  'phone',
  'phone_shared',
  'mailbox_alone',
] as const;
export type IdentifierKind = (typeof identifierKinds)[number];
/** Bit of each kind. */
export const identifierBit = Object.fromEntries(
  identifierKinds.map((kind, at) => [kind, 1 << at]),
) as Readonly<Record<IdentifierKind, number>>;

/** How the local part of an email fits a person's name. */
export const localFits = [
  'none',
  'whole',
  'initial_last',
  'first_initial',
  'last',
  'has_last',
  'first',
  'near',
] as const;
export const localFit = numbered(localFits);
/** Whose domain an email has. */
export const mailDomains = ['own', 'free', 'other', 'unknown'] as const;
export const mailDomain = numbered(mailDomains);

/** How middle words fit; a surname may be one from before a marriage. */
export const middleFits = ['initial_differs', 'word_differs', 'agrees', 'surname_differs'] as const;
export const middle = numbered(middleFits);
