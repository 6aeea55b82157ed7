/** What a kind of row without a person is. */
import type { Draft, Group, Source } from './draft.ts';
import type { Person } from './sample-people.ts';
import { foldJoined } from './text.ts';

/** Why a row has no person: no one is meant, several are, or its parts mean different people. */
export type NoPersonReason = 'none' | 'ambiguous' | 'conflict';

/** One kind of row without a person: a row of a table. */
export interface Negative {
  readonly name: string;
  readonly does: string;
  readonly weight: number;
  readonly reason: NoPersonReason;
  /** Whether the row is about a person who is hidden from the directory. */
  readonly isAboutHidden?: boolean;
  /** Whether a stranger's names are written, which no one in the directory may resemble. */
  readonly isStranger?: boolean;
  /** Groups whose kinds of dirt may come on top. */
  readonly mayAdd: readonly Group[];
  /** Changes the row; false where it cannot be made of this person. */
  make(draft: Draft, source: Source): boolean;
}

/** Groups of which every kind of dirt may come on top of a hidden person's row. */
export const anyDirt: readonly Group[] = [
  'identifier',
  'given name',
  'surname',
  'whole name',
  'organisation',
  'text',
  'columns',
];
/** Groups whose kinds write only what a stranger's row says. */
export const strangerDirt: readonly Group[] = ['text', 'columns'];

/** People in the directory who have the surname of a person. */
export const namesakesOf = (person: Person, { directory }: Source): Person[] =>
  (directory.byLast.get(foldJoined(person.last)) ?? []).filter(
    (other) => other.id !== person.id && !directory.isHidden(other.id),
  );
