// Reads the names of organisations for the graded comparison: words, places, joined keys.
import { foldToAscii } from '../normalize/fold-text.ts';
import {
  organisationAcronyms,
  organisationTokens,
  stateMark,
} from '../normalize/messy/organisation-tokens.ts';
import {
  createDictionaryBuilder,
  createKeysBuilder,
  type DictionaryBuilder,
  hashText,
  type KeysBuilder,
} from './index-dictionary.ts';
import { groupByOwner, pick, releaseNumbers } from './index-lists.ts';
import { createNumberList, type NumberList } from './index-postings.ts';

export interface GatheredOrganisations {
  readonly words: DictionaryBuilder;
  readonly entries: KeysBuilder;
  readonly entryGroups: NumberList;
  readonly entryStarts: NumberList;
  readonly entryWords: NumberList;
  readonly places: { readonly groups: NumberList; readonly words: NumberList };
  readonly keys: {
    readonly keys: NumberList;
    readonly tags: NumberList;
    readonly groups: NumberList;
  };
}

export const startOrganisations = (): GatheredOrganisations => ({
  words: createDictionaryBuilder(),
  entries: createKeysBuilder(),
  entryGroups: createNumberList(),
  entryStarts: createNumberList(),
  entryWords: createNumberList(),
  places: { groups: createNumberList(), words: createNumberList() },
  keys: { keys: createNumberList(), tags: createNumberList(), groups: createNumberList() },
});

const wordsMax = 24;
const keyTags = { acronym: 1, joined: 2 } as const;

export const organisationKey = (
  text: string,
  kind: keyof typeof keyTags,
): { readonly key: number; readonly tag: number } => ({
  key: hashText(`${kind} ${text}`),
  tag: (hashText(text, 0x51ed270b) & ~3) + keyTags[kind],
});

function addKey(
  { keys }: GatheredOrganisations,
  group: number,
  text: string,
  kind: keyof typeof keyTags,
): void {
  const { key, tag } = organisationKey(text, kind);
  keys.keys.push(key);
  keys.tags.push(tag >>> 0);
  keys.groups.push(group);
}

/** All letters and digits of a name, to find one that is written without spaces. */
export const joinedLetters = (name: string): string =>
  foldToAscii(name).replace(/[^\p{L}\p{N}]+/gu, '');

/** The words of a name, joined, without the marks of states. */
export const joinedTokens = (tokens: readonly string[]): string =>
  tokens.join('').replaceAll(stateMark, '');

/** Adds a name of a group, unless the group has it. */
export function addOrganisationName(
  into: GatheredOrganisations,
  group: number,
  name: string,
): void {
  const tokens = organisationTokens(name).slice(0, wordsMax);
  const before = into.entries.count();
  if (tokens.length === 0) return;
  if (into.entries.add(`${group} ${tokens.join(' ')}`) !== before) return;
  into.entryGroups.push(group);
  into.entryStarts.push(into.entryWords.length);
  for (const token of tokens) into.entryWords.push(into.words.add(token));
  const joined = joinedTokens(tokens);
  const letters = joinedLetters(name);
  addKey(into, group, joined, 'joined');
  if (letters !== joined) addKey(into, group, letters, 'joined');
  for (const acronym of organisationAcronyms(name)) addKey(into, group, acronym, 'acronym');
}

export function addOrganisationPlace(
  { places, words }: GatheredOrganisations,
  group: number,
  city: string | null,
  state: string | null,
): void {
  const found = city ? [...organisationTokens(city)] : [];
  if (state) found.push(stateMark + state.toLowerCase());
  for (const word of found) {
    places.groups.push(group);
    places.words.push(words.add(word));
  }
}

/** Factors of words that are weaker evidence than their frequency suggests. */
const lowered = { letter: 0.6, state: 0.45 } as const;

/** The weight of each word: higher if fewer groups have it. */
function weighWords(
  gathered: GatheredOrganisations,
  texts: readonly string[],
  groupsCount: number,
): Float32Array {
  const counts = new Uint32Array(texts.length);
  const lastGroup = new Int32Array(texts.length).fill(-1);
  const groups = gathered.entryGroups.view();
  const starts = gathered.entryStarts.view();
  const byGroup = groupByOwner(groups, groupsCount).order;
  for (const entry of byGroup) {
    const to = starts[entry + 1] ?? gathered.entryWords.length;
    for (let at = starts[entry]!; at < to; at++) {
      const word = gathered.entryWords.at(at);
      if (lastGroup[word] === groups[entry]!) continue;
      lastGroup[word] = groups[entry]!;
      counts[word]!++;
    }
  }
  return Float32Array.from(counts, (count, word) => {
    const text = texts[word]!;
    const factor = text === 'state' ? lowered.state : text.length === 1 ? lowered.letter : 1;
    return Math.log(1 + groupsCount / (1 + count)) * factor;
  });
}

export function contentOfOrganisations(gathered: GatheredOrganisations, groupsCount: number) {
  const entryWords = gathered.entryWords.view();
  const entriesCount = gathered.entryGroups.length;
  const owners = new Uint32Array(entryWords.length);
  const starts = new Uint32Array(entriesCount + 1);
  starts.set(gathered.entryStarts.view());
  starts[entriesCount] = entryWords.length;
  for (let entry = 0; entry < entriesCount; entry++)
    owners.fill(entry, starts[entry]!, starts[entry + 1]!);
  const byWord = groupByOwner(entryWords, gathered.words.count());
  const places = groupByOwner(gathered.places.groups.view(), groupsCount);
  releaseNumbers(gathered.places.groups.view());
  const texts = Array.from({ length: gathered.words.count() }, (_, id) => gathered.words.text(id));
  const weights = weighWords(gathered, texts, groupsCount);
  const words = gathered.words.finish();
  const orgPlaces = pick(gathered.places.words.view(), places.order);
  const orgWordEntries = pick(owners, byWord.order);
  for (const list of [owners, byWord.order, places.order, gathered.places.words.view()])
    releaseNumbers(list);
  return {
    words,
    /** Words that may be mistyped: all except states. */
    spelled: Uint32Array.from(
      texts.flatMap((text, id) => (text.startsWith(stateMark) ? [] : [id])),
    ),
    content: {
      orgWordSlots: words.slots,
      orgWordStarts: words.starts,
      orgWordPool: words.pool,
      orgWordWeights: weights,
      orgSortedWords: Uint32Array.from(texts.keys()).sort((a, b) =>
        texts[a]! < texts[b]! ? -1 : 1,
      ),
      orgEntryGroups: gathered.entryGroups.view(),
      orgEntryStarts: starts,
      orgEntryWords: entryWords,
      orgWordEntryStarts: byWord.starts,
      orgWordEntries,
      orgPlaceStarts: places.starts,
      orgPlaces,
    },
  };
}
