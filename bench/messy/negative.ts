// The form of a kind of row without a person.
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
  /** Whether it writes the names of a stranger. No one in the directory may resemble them. */
  readonly isStranger?: boolean;
  /** Groups whose kinds of dirt may be added. */
  readonly mayAdd: readonly Group[];
  /** Changes the row; false if it cannot be made from this person. */
  make(draft: Draft, source: Source): boolean;
}

/** Every group of dirt, for rows of hidden people. */
export const anyDirt: readonly Group[] = [
  'identifier',
  'given name',
  'surname',
  'whole name',
  'organisation',
  'text',
  'columns',
];
/** Groups whose kinds only rewrite what a stranger's row says. */
export const strangerDirt: readonly Group[] = ['text', 'columns'];

/** People in the directory who have the surname of a person. */
export const namesakesOf = (person: Person, { directory }: Source): Person[] =>
  (directory.byLast.get(foldJoined(person.last)) ?? []).filter(
    (other) => other.id !== person.id && !directory.isHidden(other.id),
  );
