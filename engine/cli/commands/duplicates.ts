// `desk directory duplicates …`: pairs of records that are probably one, and their merges.
import {
  type Duplicate,
  type DuplicateDetail,
  type DuplicateField,
  type DuplicateSearch,
  duplicates,
  likelihoodWords,
  mergeReasonWords,
  type RecordMerge,
} from '../../contract/duplicates/duplicates.ts';
import { duplicatePage } from '../../contract/limits/duplicates.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatCount, formatNumber, formatShare, formatTable } from '../kit/format-text.ts';
import { badUsage, notAnId } from '../kit/refusal.ts';
import { stopOnInterrupt } from '../kit/stop-on-interrupt.ts';
import { showTasks } from '../kit/task-progress.ts';

const wholeId = /^[1-9]\d{0,14}$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function readPairId(call: Call): number {
  const id = call.positionals[0] ?? '';
  if (!wholeId.test(id)) throw notAnId(`"${id}"`, 'a pair', 'directory duplicates list');
  return Number(id);
}

const kindOf = (call: Call): 'company' | 'person' => (call.values.companies ? 'company' : 'person');

const describeRecord = ({ name, detail }: Duplicate['records'][number]): string =>
  detail === '' ? name : `${name} (${detail})`;

/** Rounded down: no pair is certain. */
const describeProbability = ({ probability, likelihood }: Duplicate): string =>
  `${formatShare(Math.floor(probability * 100) / 100)} ${likelihoodWords[likelihood]}`;

const describePair = (pair: Duplicate): string[] => [
  String(pair.id),
  describeProbability(pair),
  describeRecord(pair.records[0]),
  describeRecord(pair.records[1]),
  pair.differs.length > 0 ? `differs: ${pair.differs.join(', ')}` : '',
];

function describeSearch(search: DuplicateSearch): string[] {
  const again = 'Search again: desk directory duplicates list --search';
  const skipped =
    search.blocks_skipped > 0
      ? [`${formatNumber(search.blocks_skipped, 'group')} too large to compare.`]
      : [];
  if (search.status === 'stopped') return [...skipped, `The search was stopped. ${again}`];
  if (search.status === 'running') return [...skipped, 'A search is running.'];
  return search.is_outdated
    ? [...skipped, `The directory has changed since the search. ${again}`]
    : skipped;
}

const runSearch = (call: Call, engine: EngineClient): Promise<DuplicateSearch> =>
  stopOnInterrupt(call, 'The next search continues it.', (signal) =>
    showTasks(call.terminal, engine, { duplicates: 'Searching for duplicates' }, () =>
      engine.ask(duplicates.search, { wait: '1' }, signal),
    ),
  );

const describeMerge = ({ id, survivor, other, merged_at, merged_by, undone_at }: RecordMerge) => [
  String(id),
  merged_at.slice(0, 10),
  merged_by,
  survivor.name || '(suppressed)',
  other.name || '(suppressed)',
  undone_at === null ? '' : `undone ${undone_at.slice(0, 10)}`,
];

async function listMerges(call: Call): Promise<Outcome> {
  const engine = await call.openEngine();
  const page = await engine.ask(duplicates.merges, { limit: duplicatePage.max });
  const shown = formatTable(page.merges.map(describeMerge));
  return { json: page, lines: [...shown, `Merges shown: ${formatCount(page.merges.length)}.`] };
}

async function runList(call: Call): Promise<Outcome> {
  if (call.values.merges) return listMerges(call);
  const offset = readOption(call, 'offset') ?? '0';
  if (!/^\d{1,15}$/.test(offset)) throw badUsage(`--offset ${offset} is not a whole number.`);
  const query = {
    kind: kindOf(call),
    offset: Number(offset),
    limit: duplicatePage.max,
    status: call.values.dismissed ? ('dismissed' as const) : ('open' as const),
  };
  const engine = await call.openEngine();
  const read = () => engine.ask(duplicates.list, query);
  let page = await read();
  if (call.values.search || page.search.status === 'never') {
    await runSearch(call, engine);
    page = await read();
  }
  const { duplicates: pairs, total } = page;
  const next = Number(offset) + pairs.length;
  const more = next < total ? [`More: add --offset ${next}`] : [];
  const noun = kindOf(call) === 'company' ? 'companies' : 'people';
  const which = call.values.dismissed ? 'dismissed' : 'probably duplicates';
  return {
    json: page,
    lines: [
      ...formatTable(pairs.map(describePair)),
      ...more,
      ...describeSearch(page.search),
      `Pairs of ${noun}, ${which}: ${formatCount(total)}.`,
    ],
  };
}

function describeField({ label, verdict, values, winner, reason }: DuplicateField): string[] {
  const show = (value: DuplicateField['values'][number]) =>
    value
      ? `${value.value.replaceAll('\n', '; ')} [${value.source}, ${value.observed_on}]`
      : 'unknown';
  const verdictWord = { agrees: 'agrees', differs: 'differs', one_side: '' }[verdict];
  const survivor =
    winner === null ? mergeReasonWords[reason] : `${winner + 1}, ${mergeReasonWords[reason]}`;
  return [label, verdictWord, show(values[0]), show(values[1]), survivor];
}

function describeDetail(pair: DuplicateDetail): string[] {
  return [
    ...pair.records.map((one, at) => `${at + 1}  ${describeRecord(one)}  ${one.id}`),
    ...formatTable([['Field', '', '1', '2', 'Survivor'], ...pair.fields.map(describeField)]),
    `Pair ${pair.id}: ${describeProbability(pair)}. A merge keeps record 1.`,
  ];
}

const readPair = (call: Call, engine: EngineClient, id: number): Promise<DuplicateDetail> =>
  engine.ask(duplicates.read, { id, survivor: readOption(call, 'keep') });

/** The choices of --choose, by field: the number of a record. */
function readChoices(call: Call): [field: string, record: 0 | 1][] {
  const text = readOption(call, 'choose');
  if (text === undefined) return [];
  return text.split(',').map((choice) => {
    const [, field, record] = /^\s*([a-z_]+)=([12])\s*$/.exec(choice) ?? [];
    if (!field || !record)
      throw badUsage(`--choose ${choice}: write FIELD=1 or FIELD=2, separated by commas.`);
    return [field, record === '1' ? 0 : 1];
  });
}

const describeMerged = (merge: RecordMerge): Outcome => ({
  json: merge,
  lines: [
    `Undo: desk directory duplicates undo ${merge.id}`,
    `Merged ${merge.other.name} into ${merge.survivor.name}.`,
  ],
});

async function mergeByHand(call: Call, survivor: string, other: string): Promise<Outcome> {
  for (const id of [survivor, other])
    if (!uuid.test(id)) throw badUsage(`"${id}" is not a UUID: name a pair, or two records.`);
  const choices = readChoices(call).map(([field, at]) => [field, [survivor, other][at]]);
  const engine = await call.openEngine();
  const merge = await engine.ask(duplicates.mergeByHand, {
    kind: kindOf(call),
    survivor,
    other,
    choices: Object.fromEntries(choices),
    across_legal_forms: call.values['across-legal-forms'] === true,
  });
  return describeMerged(merge);
}

async function runMerge(call: Call): Promise<Outcome> {
  const [first = '', second] = call.positionals;
  if (second !== undefined) return mergeByHand(call, first, second);
  const id = readPairId(call);
  const chosen = readChoices(call);
  const engine = await call.openEngine();
  const { records } = await readPair(call, engine, id);
  const merge = await engine.ask(duplicates.merge, {
    id,
    survivor: records[0].id,
    choices: Object.fromEntries(chosen.map(([field, at]) => [field, records[at].id])),
  });
  return describeMerged(merge);
}

async function runDismiss(call: Call): Promise<Outcome> {
  const id = readPairId(call);
  const engine = await call.openEngine();
  const pair = await engine.ask(call.values.reopen ? duplicates.reopen : duplicates.dismiss, {
    id,
  });
  const names = pair.records.map(({ name }) => name).join(' and ');
  const said = call.values.reopen ? 'is listed again' : 'is dismissed: they are not the same';
  return { json: pair, lines: [`The pair of ${names} ${said}.`] };
}

async function runUndo(call: Call): Promise<Outcome> {
  const id = call.positionals[0] ?? '';
  if (!wholeId.test(id))
    throw badUsage(`"${id}" is not a merge. See desk directory duplicates list --merges.`);
  const engine = await call.openEngine();
  const merge = await engine.ask(duplicates.undoMerge, { id: Number(id) });
  const names = `${merge.survivor.name} and ${merge.other.name}`;
  return { json: merge, lines: [`Merge ${id} is undone: ${names} are as they were before.`] };
}

const companies = { summary: 'companies instead of people' } as const;
const keep = { value: 'UUID', summary: 'the record that a merge keeps (default: the fuller one)' };

export const duplicateCommands: readonly Command[] = [
  {
    name: 'directory duplicates list',
    summary: 'List people or companies that are probably the same',
    options: {
      companies,
      search: { summary: 'search first, or continue a search that was stopped' },
      dismissed: { summary: 'the pairs that were dismissed' },
      merges: { summary: 'the merges, newest first' },
      offset: { value: 'N', summary: 'skip the first N pairs' },
    },
    notes: [
      'The first call searches. Companies of different legal forms or countries are never listed.',
    ],
    run: runList,
  },
  {
    name: 'directory duplicates show',
    summary: 'Show the evidence for a pair, and what a merge would produce',
    args: '<PAIR_ID>',
    options: { keep },
    async run(call) {
      const id = readPairId(call);
      const engine = await call.openEngine();
      const pair = await readPair(call, engine, id);
      return { json: pair, lines: describeDetail(pair) };
    },
  },
  {
    name: 'directory duplicates merge',
    summary: 'Merge a pair, or two records by their UUIDs: the first is kept',
    args: '<PAIR_ID|UUID> [UUID]',
    options: {
      keep,
      choose: { value: 'F=N,…', summary: 'fields to take from record 1 or 2: city=2,job_title=1' },
      companies: { summary: 'the UUIDs are of companies' },
      'across-legal-forms': { summary: 'two legal forms or countries are one company' },
    },
    notes: ['A merge can be undone as long as nothing has changed the survivor since.'],
    run: runMerge,
  },
  {
    name: 'directory duplicates dismiss',
    summary: 'Record that the two records of a pair are not the same',
    args: '<PAIR_ID>',
    options: { reopen: { summary: 'list the pair again' } },
    run: runDismiss,
  },
  {
    name: 'directory duplicates undo',
    summary: 'Undo a merge: both records are restored',
    args: '<MERGE_ID>',
    run: runUndo,
  },
];
