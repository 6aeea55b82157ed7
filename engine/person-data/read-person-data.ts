/** Creates the calls that search for the data of one person; each opens the directory it reads. */
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { completeSubject } from './directory-person.ts';
import { findEntries } from './find-entries.ts';
import type { PersonDataReads } from './person-data.commands.ts';
import { findByValue } from './read-value.ts';

/** Creates the calls. */
export function createPersonDataReads({
  folder,
  store,
  openDirectory,
}: {
  readonly folder: string;
  readonly store: ReadableDatabase;
  readonly openDirectory: () => ReadableDatabase;
}): Pick<PersonDataReads, 'findPeople' | 'completePerson' | 'findPersonEntries'> {
  const withDirectory = <Result>(use: (directory: ReadableDatabase) => Result): Result => {
    const directory = openDirectory();
    try {
      return use(directory);
    } finally {
      directory.close();
    }
  };
  return {
    findPeople: async ({ value }) => withDirectory((directory) => findByValue(directory, value)),
    completePerson: async ({ subject }) =>
      withDirectory((directory) => completeSubject(directory, subject)),
    findPersonEntries: async ({ subject }) =>
      withDirectory((directory) => findEntries({ folder, store, directory }, subject)),
  };
}
