// Records about a person, as a search of an environment finds them.
import type { OwnPlaceName } from './places.ts';
import type { Subject } from './subject.ts';

export interface FoundEntry {
  /** A name of ownPlaces, or a table of textPlaces. */
  readonly place: OwnPlaceName | (string & {});
  /** Its primary key; for rows of a file, the folder, the row, and the columns or null. */
  readonly key: readonly unknown[];
  readonly record: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface FoundEntries {
  readonly entries: readonly FoundEntry[];
  readonly subject: Subject;
}
