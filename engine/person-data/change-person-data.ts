/** Creates the writer's commands about the data of one person. */
import { join } from 'node:path';
import { recordAudit } from '../audit/record-audit.ts';
import type { SuppressionKind } from '../contract/suppression/suppression.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { recordSuppressions } from '../suppression/change-suppressions.ts';
import { insertEntry } from '../suppression/suppression.table.ts';
import { readValueKey } from '../suppression/value-keys.ts';
import { eraseFromFiles } from './erase-files.ts';
import { eraseFromStore } from './erase-store.ts';
import type { PersonDataCalls } from './person-data.commands.ts';
import { countErased, endDeletion, insertDeletion, noteErased } from './person-deletion.table.ts';
import { scrubFile } from './scrub-file.ts';
import type { Subject } from './subject.ts';

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

/** Creates the commands. */
export function createPersonDataCommands({
  database,
  folder,
  now,
  onSuppression,
}: {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly now: () => Date;
  /** Called if the suppression list has changed. */
  readonly onSuppression: () => void;
}): PersonDataCalls {
  return {
    async planDeletion({ suppress, ...deletion }) {
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
    async erasePerson({ subject, entries }) {
      eraseFromStore(database, subject, entries);
      eraseFromFiles(folder, subject, entries);
    },
    async scrubStore() {
      scrubFile(join(folder, 'engine.db'));
    },
    noteErased: async ({ uuid }) => noteErased(database, uuid),
    endDeletion: async ({ uuid }) => endDeletion(database, uuid, now().toISOString()),
  };
}
