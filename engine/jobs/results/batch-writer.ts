// Writes the matches of a batch as results. The values of a person are projected once: a later row
// about the same person, with the same company and layers, is copied from the earlier one. Any
// commit to directory.db and any change of a stored result ends that.
import type { LayerCode } from '../../contract/jobs/layers.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import { createProjection, type Projection } from '../../directory/read/projection.ts';
import { mappedBytesMax, type WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { PersonOfRow } from '../repeats/sort-rows.ts';
import { insertResults, type RangeSummary, summarizeFacts } from './result.table.ts';
import { outcomeOf } from './view/row-facts.ts';

interface WrittenBatch extends RangeSummary {
  readonly enriched: readonly PersonOfRow[];
}

export interface BatchWriter {
  readonly projection: Projection;
  write(batch: MatchBatch, resultBase: number, firstRow: number): WrittenBatch;
  /** Lets later rows be copied from the last batch. Call after its commit if no row changed. */
  keep(): void;
}

/** Slots, of 16 bytes, for rows that are known. */
const slotsMax = 2 ** 20;
/** Slots in which a row may be. If others have them, the last row has the first one. */
const probes = 4;
const rowIdMax = 2 ** 32 - 1;

/** The rows that may be copied, in arrays with a slot for each row. */
interface KnownRows {
  /** The layers, and the state of the directory and of the results, that the rows belong to. */
  state: string;
  people: Int32Array;
  /** What decides the values with the person: see `variantOf`. */
  variants: Int32Array;
  /** result.id. */
  rows: Uint32Array;
  facts: Uint32Array;
}

/** Leaves a slot for each person of a directory whose newest one has this id. */
function forgetRows(known: KnownRows, state: string, newestPerson: number): void {
  const slots = Math.min(slotsMax, 2 ** Math.ceil(Math.log2(newestPerson + 1)));
  known.state = state;
  if (slots === known.people.length) known.people.fill(0);
  else {
    known.people = new Int32Array(slots);
    known.variants = new Int32Array(slots);
    known.rows = new Uint32Array(slots);
    known.facts = new Uint32Array(slots);
  }
}

/** The company, or its complement if the person moved. */
function variantOf(batch: MatchBatch, at: number): number {
  const companyId = batch.companyIds[at] ?? 0;
  return (batch.employmentStatuses[at] ?? 0) > 1 ? ~companyId : companyId;
}

/** The slot of the row that has a person and a variant, or the slot for it. */
function slotOf({ people, variants }: KnownRows, personId: number, variant: number): number {
  const first = Math.imul(personId, 0x9e3779b1) ^ Math.imul(variant, 0x85ebca6b);
  const mask = people.length - 1;
  for (let at = first; at < first + probes; at += 1) {
    const slot = at & mask;
    const isOwn = people[slot] === personId && variants[slot] === variant;
    if (isOwn || people[slot] === 0) return slot;
  }
  return first & mask;
}

const knownByConnection = new WeakMap<WritableDatabase, KnownRows>();

/** The known rows of a connection, and the triggers that count changes of stored results. */
function openKnownRows(database: WritableDatabase): KnownRows {
  const known = knownByConnection.get(database);
  if (known) return known;
  database.exec(`CREATE TEMP TABLE result_changes (number INTEGER NOT NULL);
    INSERT INTO temp.result_changes VALUES (0);`);
  const changes = {
    updated: 'UPDATE OF id, status, contact_uuid, layer_bits, fields, provenance',
    deleted: 'DELETE',
  };
  for (const [name, change] of Object.entries(changes))
    database.exec(`CREATE TEMP TRIGGER result_${name} AFTER ${change} ON main.result BEGIN
      UPDATE result_changes SET number = number + 1; END`);
  // The rows that are copied are all over the file; mapped pages need no system calls.
  database.pragma(`main.mmap_size = ${mappedBytesMax}`);
  const opened: KnownRows = {
    state: '',
    people: new Int32Array(0),
    variants: new Int32Array(0),
    rows: new Uint32Array(0),
    facts: new Uint32Array(0),
  };
  knownByConnection.set(database, opened);
  return opened;
}

export function openBatchWriter(
  database: WritableDatabase,
  layers: readonly LayerCode[],
): BatchWriter {
  const known = openKnownRows(database);
  const options = { schema: 'directory', layers } as const;
  const projection = createProjection(database, options);
  // A statement that may copy takes a tenth longer to project.
  const copying = createProjection(database, { ...options, copiedFrom: 'main.result' });
  // Changes with each commit of another connection: this one never writes the directory.
  const readVersion = statement<number>(database, 'PRAGMA directory.data_version').pluck();
  const readChanges = statement<number>(database, 'SELECT number FROM temp.result_changes').pluck();
  const newestPerson = 'SELECT ifnull(max(id), 0) FROM directory.person';
  const readNewest = statement<number>(database, newestPerson).pluck();
  const readState = () => `${layers.join()} ${readVersion.get()} ${readChanges.get()}`;

  /** The slot of the row that each row is copied from; -1 if there is none. */
  const findCopied = (batch: MatchBatch): Int32Array =>
    Int32Array.from({ length: batch.count }, (_, at) => {
      const personId = batch.personIds[at] ?? 0;
      const variant = variantOf(batch, at);
      const slot = slotOf(known, personId, variant);
      const isKnown = known.people[slot] === personId && known.variants[slot] === variant;
      return personId > 0 && isKnown ? slot : -1;
    });

  let keepLast: () => void = () => undefined;
  return {
    projection,
    write(batch, resultBase, firstRow) {
      const state = readState();
      if (known.state !== state) forgetRows(known, state, readNewest.get() ?? 0);
      const slots = findCopied(batch);
      const copies = Array.from(slots, (slot) => known.rows[slot] ?? null);
      const { load, selectSql } = slots.some((slot) => slot >= 0) ? copying : projection;
      load(batch, firstRow, copies);
      const { facts, people } = insertResults(database, resultBase, selectSql);
      for (const [at, slot] of slots.entries()) facts[at] = known.facts[slot] ?? facts[at] ?? 0;
      const summary = summarizeFacts(Uint32Array.from(facts));
      const enriched: PersonOfRow[] = [];
      for (let at = 0; at < batch.count; at += 1) {
        const personUuid = people[at];
        if (summary.statuses[at] !== 0 || !personUuid) continue;
        const layerBits = outcomeOf(facts[at] ?? 0) >> 2;
        enriched.push({ rowIndex: firstRow + at, personUuid, layerBits });
      }
      keepLast = () => {
        const firstId = resultBase + firstRow;
        if (firstId + batch.count > rowIdMax) return;
        for (let at = 0; at < batch.count; at += 1) {
          const personId = batch.personIds[at] ?? 0;
          if (personId === 0 || summary.statuses[at] !== 0 || slots[at] !== -1) continue;
          const variant = variantOf(batch, at);
          const slot = slotOf(known, personId, variant);
          known.people[slot] = personId;
          known.variants[slot] = variant;
          known.rows[slot] = firstId + at;
          known.facts[slot] = summary.facts[at] ?? 0;
        }
      };
      return { ...summary, enriched };
    },
    keep: () => keepLast(),
  };
}
