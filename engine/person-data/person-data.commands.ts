/** Commands about the data of one person, served by the threads of an environment. */
import type { ErasedEntry } from './erase-store.ts';
import type { FoundEntries } from './found-entry.ts';
import type { NewDeletion } from './person-deletion.table.ts';
import type { FoundPerson } from './read-value.ts';
import type { Subject } from './subject.ts';

export interface PersonDataCalls {
  /** Records a deletion, and adds the person to the suppression list. Live environment only. */
  planDeletion(command: NewDeletion & { readonly suppress: boolean }): Promise<void>;
  /** Erases entries from engine.db and from files. It can be repeated. */
  erasePerson(command: {
    readonly subject: Subject;
    readonly entries: readonly ErasedEntry[];
  }): Promise<void>;
  /** Writes engine.db again without deleted values. Work of the environment waits meanwhile. */
  scrubStore(command: null): Promise<void>;
  /** Records that everything is erased, which removes the values from the record. */
  noteErased(command: { readonly uuid: string }): Promise<void>;
  endDeletion(command: { readonly uuid: string }): Promise<void>;
}

/** Calls that read, and those to the directory. */
export interface PersonDataReads {
  findPeople(command: { readonly value: string }): Promise<FoundPerson[]>;
  completePerson(command: { readonly subject: Subject }): Promise<Subject>;
  findPersonEntries(command: { readonly subject: Subject }): Promise<FoundEntries>;
  /** Deletes people from the directory, after work that was queued before. */
  erasePeople(command: { readonly subject: Subject }): Promise<void>;
}
