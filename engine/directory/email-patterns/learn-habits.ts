/**
 * How an organisation forms its addresses: counts of each form and each choice among people whose
 * address is known (witnesses), and the probability of an address for a name.
 */
import { type AddressForm, addressForms, needsMiddle, writeLocal } from './address-forms.ts';
import { type Choice, type HabitKind, habitShares, type Spelling } from './name-spellings.ts';

/** A person whose address is known. */
export interface Witness {
  readonly spellings: readonly Spelling[];
  /** The part of the address before the @, in lower case. */
  readonly local: string;
}

export interface Habits {
  /** Witnesses, and those with a middle name. */
  readonly count: number;
  readonly middleCount: number;
  /** Forms with enough witnesses. */
  readonly forms: ReadonlyMap<AddressForm, number>;
  readonly choices: ReadonlyMap<Choice, number>;
}

/** An address that an organisation may give to a name. */
export interface LikelyLocal {
  readonly local: string;
  readonly form: AddressForm;
  readonly witnesses: number;
  /** Witnesses whose names have every part of the form. */
  readonly of: number;
  /** 0 to 1. */
  readonly probability: number;
}

/** The least number of witnesses of a form. */
const witnessesMin = 3;
/** An organisation without exceptions so far counts as having half a one among one more witness. */
const doubt = { witnesses: 1, share: 0.5 };
/** The habits of other organisations count as many witnesses of a choice. */
const habitWitnesses = 3;
/** People leave, marry and share names, so that no inference is certain. */
const probabilityMax = 0.98;

const add = <Key>(counts: Map<Key, number>, key: Key) =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

/** Counts the forms and choices of witnesses. Each is a different person. */
export function learnHabits(witnesses: Iterable<Witness>): Habits {
  const forms = new Map<AddressForm, number>();
  const choices = new Map<Choice, number>();
  let [count, middleCount] = [0, 0];
  for (const { spellings, local } of witnesses) {
    count += 1;
    if (spellings[0]?.middle) middleCount += 1;
    // An address that several spellings explain is read as the first, the plainest.
    let read: Spelling | undefined;
    for (const form of addressForms) {
      const spelling = spellings.find((one) => writeLocal(form, one) === local);
      if (!spelling) continue;
      add(forms, form);
      read ??= spelling;
    }
    for (const choice of read?.choices ?? []) add(choices, choice);
  }
  const used = new Map([...forms].filter(([, known]) => known >= witnessesMin));
  return { count, middleCount, forms: used, choices };
}

/** The share of a choice: the organisation's own counts, and those of others as a few more. */
function choiceShare({ choices }: Habits, choice: Choice): number {
  const [kind, way] = choice.split(':') as [HabitKind, string];
  const shares: Readonly<Record<string, number>> = habitShares[kind];
  const known = Object.keys(shares).map((one) => choices.get(`${kind}:${one}` as Choice) ?? 0);
  const total = known.reduce((sum, one) => sum + one, 0);
  const others = habitWitnesses * (shares[way] ?? 0);
  return ((choices.get(choice) ?? 0) + others) / (total + habitWitnesses);
}

/** The addresses of a name with their probabilities. */
export function listLikelyLocals(habits: Habits, spellings: readonly Spelling[]): LikelyLocal[] {
  return [...habits.forms].flatMap(([form, witnesses]) => {
    const of = needsMiddle(form) ? habits.middleCount : habits.count;
    const formShare = (witnesses + doubt.witnesses * doubt.share) / (of + doubt.witnesses);
    const locals = new Map<string, number>();
    for (const spelling of spellings) {
      const local = writeLocal(form, spelling);
      if (local === null) continue;
      const shares = spelling.choices.map((choice) => choiceShare(habits, choice));
      const share = shares.reduce((product, one) => product * one, spelling.share);
      locals.set(local, (locals.get(local) ?? 0) + share);
    }
    return [...locals].map(([local, share]) => {
      const probability = Math.min(probabilityMax, formShare * share);
      return { local, form, witnesses, of, probability };
    });
  });
}
