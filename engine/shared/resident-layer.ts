// What a matcher over the shared directory keeps in memory: companies, names and counts of people.
// Its sections are those of the index in memory, made by the same code; those of people are empty,
// with room for some.
import type { PoolClient } from 'pg';
import {
  contentOfCompanies,
  contentOfNicknames,
  fillSections,
  type KeyedLists,
  listMasks,
  listOrganisationKeys,
} from '../directory/index/index-build.ts';
import {
  type AliasRow,
  type CompanyRow,
  type GatheredCompanies,
  gatherCompanies,
} from '../directory/index/index-companies.ts';
import {
  createDictionaryBuilder,
  createKeysBuilder,
  type DictionaryBuilder,
} from '../directory/index/index-dictionary.ts';
import {
  contentOfOrganisationWords,
  type Keyed,
  listSurnameWords,
} from '../directory/index/index-graded.ts';
import type { MatchIndex } from '../directory/index/index-layout.ts';
import { createNumberList } from '../directory/index/index-postings.ts';
import { loadNicknames } from '../directory/normalize/nicknames.ts';
import type { BlockKeys } from './block-keys.ts';
import { type Key, keyText } from './key-hash.ts';

export interface ResidentLayer {
  /** The index; its people are added later. */
  readonly index: MatchIndex;
  /** Number of a name in the index, by match_name.name_id. */
  readonly nameOf: Uint32Array;
  /** company.id → dense number + 1; 0 if there is none. */
  readonly denseOf: Uint32Array;
  readonly groupHashes: readonly Key[];
}

export interface PeopleRoom {
  readonly people: number;
  readonly forms: number;
  readonly facts: number;
  readonly jobs: number;
}

const rowsOf = async <Row extends unknown[]>(client: PoolClient, text: string): Promise<Row[]> =>
  (await client.query({ text, rowMode: 'array' })).rows as Row[];

async function readCompanies(
  client: PoolClient,
  keys: BlockKeys,
): Promise<{ companies: GatheredCompanies; groupHashes: Key[] }> {
  const companyRows = await rowsOf<CompanyRow>(
    client,
    'SELECT id, name, domain, city, state FROM company ORDER BY id',
  );
  const aliases = await rowsOf<AliasRow>(
    client,
    'SELECT id, company_id, name FROM company_alias ORDER BY id',
  );
  const groupHashes: Key[] = [];
  const gathered = gatherCompanies(
    { idMax: companyRows.at(-1)?.[0] ?? 0, companies: companyRows, aliases },
    (text) => groupHashes.push(keys.hashText(text)),
  );
  // match_domain lists the groups of each domain, those of the companies' own too.
  const domains = createKeysBuilder();
  const domainPairs = { domains: createNumberList(), groups: createNumberList() };
  for (const [domain, ids] of await rowsOf<[string, number[]]>(
    client,
    'SELECT domain, company_ids FROM match_domain',
  )) {
    const number = domains.add(domain);
    for (const id of ids) {
      domainPairs.domains.push(number);
      domainPairs.groups.push(gathered.groups[gathered.denseOf[id]! - 1]!);
    }
  }
  return { companies: { ...gathered, domains, domainPairs }, groupHashes };
}

/** Where each owner's entries would begin if there were as many as counted. */
function startsOf(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let owner = 0; owner < counts.length; owner++)
    starts[owner + 1] = starts[owner]! + counts[owner]!;
  return starts;
}

async function countGroups(client: PoolClient, groupHashes: readonly Key[]): Promise<Uint32Array> {
  const rows = await rowsOf<[string, number]>(
    client,
    'SELECT group_hash::text, people FROM match_group',
  );
  const people = new Map(rows);
  return Uint32Array.from(groupHashes, (hashed) => people.get(keyText(hashed)) ?? 0);
}

async function readNames(client: PoolClient) {
  const nicknames = loadNicknames();
  const texts = createDictionaryBuilder();
  for (const name of nicknames.numbered.names) texts.add(name);
  const nicknameContent = contentOfNicknames(texts, nicknames);
  const rows = await rowsOf<[number, string, number, number, number]>(
    client,
    'SELECT name_id, name, firsts, lasts, surnames FROM match_name ORDER BY name_id',
  );
  const nameOf = new Uint32Array((rows.at(-1)?.[0] ?? -1) + 1);
  for (const [id, name] of rows) nameOf[id] = texts.add(name);
  const counted = [0, 1, 2].map(() => new Uint32Array(texts.count()));
  const [firsts, lasts, surnames] = counted as [Uint32Array, Uint32Array, Uint32Array];
  for (const [id, , first, last, surname] of rows) {
    const name = nameOf[id]!;
    firsts[name] = first;
    lasts[name] = last;
    surnames[name] = surname;
  }
  return { nicknameContent, texts, nameOf, firsts, lasts, surnames };
}

/** The starts of nicknames for every name, of which only the first have some. */
function extendStarts(starts: Uint32Array, count: number): Uint32Array {
  const extended = new Uint32Array(count + 1).fill(starts.at(-1)!);
  extended.set(starts);
  return extended;
}

const noKeyed = (): Keyed => ({ keys: createNumberList(), people: createNumberList() });
const noLists = (): KeyedLists['url'] => ({ ...noKeyed(), tags: createNumberList() });

export async function readResidentLayer(
  client: PoolClient,
  keys: BlockKeys,
  generation: { readonly number: number; readonly people: number },
  room: PeopleRoom,
): Promise<ResidentLayer> {
  const { companies, groupHashes } = await readCompanies(client, keys);
  const groupCounts = await countGroups(client, groupHashes);
  const read = await readNames(client);
  const { texts, nameOf, firsts, lasts, surnames, nicknameContent } = read;
  const count = texts.count();
  const known = createNumberList();
  for (let name = 0; name < count; name++) if (surnames[name]! > 0) known.push(name);
  const names = (texts as DictionaryBuilder).finish();
  const words = listSurnameWords(names, known.view());
  const { denseOf } = companies;
  const content = {
    ...contentOfCompanies(companies),
    ...contentOfOrganisationWords(companies),
    nameSlots: names.slots,
    nameStarts: names.starts,
    namePool: names.pool,
    nameMasks: listMasks(names),
    ...nicknameContent,
    nicknameStarts: extendStarts(nicknameContent.nicknameStarts as Uint32Array, count),
    firstCounts: firsts,
    lastCounts: lasts,
    ...words.content,
    lastPeopleStarts: startsOf(surnames),
    lastPeople: new Uint32Array(0),
    groupPeopleStarts: startsOf(groupCounts),
    groupPeople: new Uint32Array(0),
    personIds: new Uint32Array(room.people),
    personFlags: new Uint8Array(room.people),
    personGenerations: new Uint8Array(room.people),
    personMiddles: new Uint32Array(room.people),
    personTitles: new Uint32Array(room.people),
    mainNames: new Uint32Array(room.people * 2),
    formStarts: new Uint32Array(room.people + 1),
    formNames: new Uint32Array(room.forms),
    factStarts: new Uint32Array(room.people + 1),
    facts: new Uint32Array(room.facts),
    jobStarts: new Uint32Array(room.people + 1),
    jobs: new Uint32Array(room.jobs),
  };
  const blocks = {
    companyLast: noKeyed(),
    companyFirst: noKeyed(),
    firstLast: noKeyed(),
    phonetic: words.phonetics,
  };
  const lists = {
    url: noLists(),
    email: noLists(),
    phone: noLists(),
    local: noLists(),
    orgKey: listOrganisationKeys(companies),
  };
  const filled = fillSections(generation.number, content, blocks, lists);
  const index = { ...filled, peopleCount: generation.people };
  return { index, nameOf, denseOf, groupHashes };
}
