// Creates the writer's commands about the data of one person.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { recordAudit } from '../audit/record-audit.ts';
import type { SuppressionKind } from '../contract/suppression/suppression.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import { recordSuppressions } from '../suppression/change-suppressions.ts';
import { insertEntry } from '../suppression/suppression.table.ts';
import { readValueKey } from '../suppression/value-keys.ts';
import { type ErasedEntry, eraseFromStore } from './erase-store.ts';
import type { FoundEntries } from './found-entry.ts';
import { blankInputRows } from './input-files.ts';
import {
  countErased,
  endDeletion,
  insertDeletion,
  type NewDeletion,
  noteErased,
} from './person-deletion.table.ts';
import type { FoundPerson } from './read-value.ts';
import { redactJson } from './redact.ts';
import { scrubFile } from './scrub-file.ts';
import { createMatcher, type Matcher, type Subject } from './subject.ts';

export interface PersonDataReads {
  findPeople(command: { readonly value: string }): Promise<FoundPerson[]>;
  completePerson(command: { readonly subject: Subject }): Promise<Subject>;
  findPersonEntries(command: { readonly subject: Subject }): Promise<FoundEntries>;
  /** Deletes people from the directory, after work that was queued before. */
  erasePeople(command: { readonly subject: Subject }): Promise<void>;
}

interface ErasedRow {
  readonly row: number;
  readonly columns: readonly number[] | null;
}

/** The facts of an upload have its first rows and its file name. */
function eraseFacts(dir: string, rows: readonly ErasedRow[], matcher: Matcher): void {
  const path = join(dir, 'upload.json');
  if (!existsSync(path)) return;
  const facts = JSON.parse(redactJson(readFileSync(path, 'utf8'), matcher)) as {
    upload: { first_rows: string[][] };
  };
  const first = facts.upload.first_rows;
  for (const { row, columns } of rows) {
    const cells = first[row];
    if (cells)
      first[row] = cells.map((cell, at) => (columns === null || columns.includes(at) ? '' : cell));
  }
  const draft = `${path}.partial`;
  writeFileSync(draft, JSON.stringify(facts), { mode: 0o600, flush: true });
  renameSync(draft, path);
}

/** Overwrites the entries of inputs and uploads. It can be repeated. */
function eraseFromFiles(folder: string, subject: Subject, entries: readonly ErasedEntry[]): void {
  const matcher = createMatcher(subject);
  const byFolder = new Map<string, ErasedRow[]>();
  for (const { place, key } of entries) {
    if (place !== 'inputs' && place !== 'uploads') continue;
    const [name, row, columns] = key as [string, number, readonly number[] | null];
    const dir = place === 'inputs' ? jobDir(folder, name) : join(folder, 'uploads', name);
    byFolder.set(dir, [...(byFolder.get(dir) ?? []), { row, columns }]);
  }
  for (const [dir, rows] of byFolder) {
    // The folder of an upload may have been removed meanwhile.
    const inFile = rows.filter(({ row }) => row >= -1);
    if (inFile.length > 0 && existsSync(join(dir, 'input.csv'))) blankInputRows(dir, inFile);
    // The facts of an upload quote lines that were left out.
    if (basename(dir) === 'left-out') eraseFacts(dirname(dir), [], matcher);
    else eraseFacts(dir, rows, matcher);
  }
}

/** The entries of the suppression list for a person: identifiers; without any, names. */
function listSuppressions(subject: Subject): { kind: SuppressionKind; key: string }[] {
  const identifiers = [
    ...subject.emails.map((key) => ({ kind: 'email' as const, key })),
    ...subject.profiles.map((key) => ({ kind: 'profile_url' as const, key })),
    ...subject.phones.map((key) => ({ kind: 'phone' as const, key })),
  ];
  if (identifiers.length > 0) return identifiers;
  return subject.names.flatMap(({ first, last }) =>
    subject.employers.flatMap((employer) => {
      const key = readValueKey('person', `${first} ${last} | ${employer}`);
      return key === '' ? [] : [{ kind: 'person' as const, key }];
    }),
  );
}

export function createPersonDataCommands({
  database,
  folder,
  now,
  onSuppression,
}: {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly now: () => Date;
  readonly onSuppression: () => void;
}) {
  return {
    /** Records a deletion, and adds the person to the suppression list. Live environment only. */
    async planDeletion({ suppress, ...deletion }: NewDeletion & { readonly suppress: boolean }) {
      const at = now().toISOString();
      const { uuid, author, source, plan, places } = deletion;
      inTransaction(database, () => {
        insertDeletion(database, deletion, { isSuppressed: suppress, at });
        recordAudit(database, {
          action: 'person_deleted',
          at,
          accountId: null,
          subject: uuid,
          rows: countErased(places),
        });
        if (!suppress) return;
        const added = listSuppressions(plan.subject).filter(({ kind, key }) =>
          insertEntry(database, {
            kind,
            key,
            value: key.replace('|', ' | '),
            author,
            source,
            at,
            reason: 'deleted on request',
            job: null,
          }),
        );
        recordSuppressions(database, 'suppression_added', added, { at, source });
      });
      if (suppress) onSuppression();
    },
    /** Erases entries from engine.db and from files. It can be repeated. */
    async erasePerson({
      subject,
      entries,
    }: {
      readonly subject: Subject;
      readonly entries: readonly ErasedEntry[];
    }) {
      eraseFromStore(database, subject, entries);
      eraseFromFiles(folder, subject, entries);
    },
    /** Writes engine.db again without deleted values. Work of the environment waits meanwhile. */
    async scrubStore(_command: null) {
      scrubFile(join(folder, 'engine.db'));
    },
    noteErased: async ({ uuid }: { readonly uuid: string }) => noteErased(database, uuid),
    endDeletion: async ({ uuid }: { readonly uuid: string }) =>
      endDeletion(database, uuid, now().toISOString()),
  };
}

export type PersonDataCalls = ReturnType<typeof createPersonDataCommands>;
