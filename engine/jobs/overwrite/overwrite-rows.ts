// Applies overwrite rules to the rows of an export.
import {
  type CellOutcome,
  directorySource,
  type OverwriteRule,
} from '../../contract/exports/overwrite.ts';
import type { DisplayName } from '../../contract/jobs/layers.ts';
import { countryCode } from '../../directory/normalize/country-code.ts';
import { type ComparedField, readFieldKey } from '../../directory/normalize/field-keys.ts';
import { normalizeDate } from '../../directory/normalize/normalize-date.ts';
import { expandProvenance } from '../../directory/read/provenance.ts';
import { isFullName } from '../../spreadsheet/column-values.ts';
import type { JobRow } from '../job.table.ts';
import type { ResultRecord } from '../results/result.table.ts';
import { readFields } from '../results/result-fields.ts';
import type { RuledColumn } from './column-rules.ts';

/**
 * The last day that a cell may mean, YYYY-MM-DD: of a month its last day, of a year 31 December, of
 * 05/04/2020 the later of 5 April and 4 May; null if no day can be read. So a value counts as newer
 * only if it certainly is.
 */
function readLastDay(text: string): string | null {
  const days = (['day_first', 'month_first'] as const).flatMap(
    (order) => endOf(normalizeDate(text, order)) ?? [],
  );
  return days.sort().at(-1) ?? null;
}

function endOf(date: string | null): string | null {
  if (date === null || date.length === 10) return date;
  if (date.length === 4) return `${date}-12-31`;
  const [year, month] = date.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, month ?? 1, 0)).toISOString().slice(0, 10);
}

interface CellFacts {
  readonly isEmpty: boolean;
  readonly isSame: boolean;
  /** The day on which the found value was observed, YYYY-MM-DD; '' if it is not known. */
  readonly observedOn: string;
  /** The last day on which the user's value may have changed; null without a readable day. */
  readonly ownDay: string | null;
  readonly isTrusted: boolean;
}

const writes: Readonly<Record<OverwriteRule, (facts: CellFacts) => boolean>> = {
  fill_empty: ({ isEmpty }) => isEmpty,
  newer: ({ isEmpty, observedOn, ownDay }) => isEmpty || (ownDay !== null && observedOn > ownDay),
  trusted: ({ isTrusted }) => isTrusted,
  never: () => false,
};

function decideCell(rule: OverwriteRule, facts: CellFacts): Exclude<CellOutcome, 'not_found'> {
  if (facts.isSame) return 'same';
  if (!writes[rule](facts)) return 'kept';
  return facts.isEmpty ? 'filled' : 'replaced';
}

// Other fields are texts: another spelling of a name or a title may be the better one.
const comparedAs: readonly [names: RegExp, field: ComparedField][] = [
  [/email$/i, 'email'],
  [/^profile url$/i, 'profile_url'],
  [/website$/i, 'company_domain'],
  [/phone$/i, 'phone'],
  [/country$/i, 'country'],
];

/** @param country of the row, in which numbers without + are read; '' if it is not known */
export function areSame(name: DisplayName, one: string, other: string, country: string): boolean {
  const field = comparedAs.find(([names]) => names.test(name))?.[1] ?? 'text';
  const code = field === 'phone' ? countryCode(country) : null;
  return readFieldKey(field, one, code) === readFieldKey(field, other, code);
}

export interface CellDecision {
  readonly column: number;
  readonly outcome: CellOutcome;
  readonly old: string;
  readonly found: string;
  readonly source: string;
  /** YYYY-MM-DD; '' if it is not known. */
  readonly observedOn: string;
  /** Whether the rule needs a day that could not be read. */
  readonly isDayUnread: boolean;
}

/** Decides about the ruled cells of a row, in the order of the columns. */
export type DecideRow = (record: ResultRecord, cells: readonly string[]) => CellDecision[];

type Values = Readonly<Record<string, string>>;
type Sources = ReturnType<typeof expandProvenance>;

/** Whether a value's source is on a list of names in lower case. */
function isTrusted(
  names: readonly string[],
  source: string,
  imported: ReadonlySet<string>,
): boolean {
  const name = source.toLowerCase();
  return names.some(
    (one) =>
      one === name ||
      // A provider may name the source of its own: "Provider: source".
      name.startsWith(`${one}: `) ||
      (one === directorySource && imported.has(source)),
  );
}

function listFilled({ fields, ofMove }: RuledColumn, values: Values): readonly DisplayName[] {
  const hasMoved = values['Employment status'] === 'Changed';
  return (hasMoved && ofMove ? [ofMove] : fields).filter((field) => values[field]);
}

/** The value that is found for a column, and the field that it comes from; null without one. */
function findValue(column: RuledColumn, values: Values, own: string, country: string) {
  const filled = listFilled(column, values);
  const [first] = filled;
  if (first === undefined) return null;
  if (column.isFullName || column.fields[1] === 'Last name') {
    const hasBoth = filled.length === column.fields.length;
    const given = values[column.fields[0] ?? first] ?? '';
    // A first name may have several words too.
    const isWhole =
      column.isFullName || (isFullName(own) && !areSame('First name', given, own, country));
    if (isWhole)
      return hasBoth ? { field: first, value: filled.map((one) => values[one]).join(' ') } : null;
    return given === '' ? null : { field: first, value: given };
  }
  // A number that is one of the person's phones is not replaced by the other.
  const field = filled.find((one) => areSame(one, values[one] ?? '', own, country)) ?? first;
  return { field, value: values[field] ?? '' };
}

/** @param imported names of the directory's imports */
export function createRowDecider(
  job: Pick<JobRow, 'mapping'>,
  columns: readonly RuledColumn[],
  imported: ReadonlySet<string>,
): DecideRow {
  const decide = (
    column: RuledColumn,
    values: Values,
    sources: Sources,
    cells: readonly string[],
  ) => {
    const old = cells[column.column] ?? '';
    const country = cells[job.mapping.country ?? -1] || (values['Contact country'] ?? '');
    const found = findValue(column, values, old, country);
    const nothing = { column: column.column, old, found: '', source: '', observedOn: '' };
    if (!found) return { ...nothing, outcome: 'not_found', isDayUnread: false } as const;
    const { source = '', observed_at: observedOn = '' } = sources[found.field] ?? {};
    const isEmpty = old.trim() === '';
    const isSame = !isEmpty && areSame(found.field, found.value, old, country);
    const ownDay = column.dateColumn === null ? null : readLastDay(cells[column.dateColumn] ?? '');
    const outcome = decideCell(column.rule, {
      isEmpty,
      isSame,
      observedOn,
      ownDay,
      isTrusted: isTrusted(column.sources, source, imported),
    });
    const isDayUnread = column.dateColumn !== null && outcome === 'kept' && ownDay === null;
    return { ...nothing, found: found.value, source, observedOn, outcome, isDayUnread };
  };
  return (record, cells) => {
    const values = readFields(record);
    const names = Object.keys(values);
    const sources = names.length > 0 ? expandProvenance(record.provenance ?? '{}', names) : {};
    return columns.map((column) => decide(column, values, sources, cells));
  };
}
