/** The values of a row in one table: what is yours, what was found, and where that is from. */
import { Text } from '@mantine/core';
import type { GridPage, GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { Provenance, ResultRow, StatusData } from '../../../engine/contract/jobs/job.ts';
import { layerByCode } from '../../../engine/contract/jobs/layers.ts';
import { describeProvenance } from '../../components/words.ts';
import type { JobColumn } from './job-columns.ts';
import classes from './row-panel.module.css';
import { ActiveValue } from './value-actions.tsx';

/** One line of the table; null where the file or the result has no such value. */
interface Line {
  readonly id: string;
  readonly name: string;
  readonly own: string | null;
  /** The name of the found field; null if none corresponds. */
  readonly field: string | null;
  readonly found: string;
}

const fieldsOf = (job: StatusData): string[] =>
  job.selected_layers.flatMap((code) => [...layerByCode[code].fields]);

/** The lines: the caller's columns with what corresponds to them, then the other found values. */
function listLines(
  job: StatusData,
  columns: readonly JobColumn[],
  correspondences: GridPage['correspondences'],
  { input, result }: GridRow,
): Line[] {
  const found = result?.enriched_fields ?? {};
  const fieldOf = new Map<number, string>();
  const used = new Set<string>();
  const joinedOf = new Map<number, string>();
  for (const { column, fields, is_full_name: isFullName } of correspondences) {
    const usable = fields.filter((name) => found[name] && !used.has(name));
    const [field] = usable;
    if (field === undefined) continue;
    const taken = isFullName ? usable : [field];
    fieldOf.set(column, field);
    joinedOf.set(column, taken.map((name) => found[name]).join(' '));
    for (const name of taken) used.add(name);
  }
  const own = columns
    .filter(({ kind }) => kind === 'input')
    .map(({ name }, index): Line => {
      const field = fieldOf.get(index) ?? null;
      const value = joinedOf.get(index) ?? '';
      return { id: `own ${index}`, name, own: input[index] ?? '', field, found: value };
    });
  const others = fieldsOf(job)
    .filter((name) => found[name] && !used.has(name))
    .map((name): Line => ({ id: name, name, own: null, field: name, found: found[name] ?? '' }));
  return [...own, ...others];
}

/** The provenance of most found values, which is said once; null without found values. */
function findCommon(result: ResultRow | null): string | null {
  const counts = new Map<string, number>();
  for (const one of Object.values(result?.provenance ?? {}) as Provenance[]) {
    const text = describeProvenance(one);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** The words of a text without accents, marks, case and titles before a name. */
const readWords = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^(?:(?:prof|dr|mr|mrs|ms|herr|frau)\b\.?\s*)+/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const isSame = (one: string, other: string): boolean => readWords(one) === readWords(other);

/** How the found value relates to the user's own; '' if it is the same, or there is none. */
function markOf({ own, found }: Line): string {
  if (own === null || found === '' || isSame(own, found)) return '';
  return own.trim() === '' ? 'new' : 'differs';
}

function FoundCell({ line, source }: { line: Line; source: string | null }) {
  const mark = markOf(line);
  return (
    <td dir="auto">
      {line.found && <ActiveValue name={line.field ?? line.name} value={line.found} />}
      {mark && <span className={classes.mark}>{mark}</span>}
      {source && <span className={classes.source}>{source}</span>}
    </td>
  );
}

/** The table; a section named “Found”, because it says what was found. */
export function RowValues({
  job,
  columns,
  correspondences,
  data,
}: {
  job: StatusData;
  columns: readonly JobColumn[];
  correspondences: GridPage['correspondences'];
  data: GridRow | undefined;
}) {
  if (!data) return null;
  const { result } = data;
  const common = findCommon(result);
  const sourceOf = ({ field }: Line): string | null => {
    const provenance = field === null ? undefined : result?.provenance[field];
    const text = provenance && describeProvenance(provenance);
    return text && text !== common ? text : null;
  };
  return (
    <section aria-label="Found">
      <table className={classes.values}>
        <colgroup>
          <col style={{ width: '28%' }} />
          <col style={{ width: '32%' }} />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Yours</th>
            <th scope="col">Found</th>
          </tr>
        </thead>
        <tbody>
          {listLines(job, columns, correspondences, data).map((line) => (
            <tr key={line.id}>
              <th scope="row" dir="auto">
                {line.name}
              </th>
              <td dir="auto">
                {line.own ? <ActiveValue name={line.name} value={line.own} /> : '–'}
              </td>
              <FoundCell line={line} source={sourceOf(line)} />
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mt={6}>
        {common
          ? `Found values are from ${common}, unless stated otherwise.`
          : 'Nothing was found.'}
      </Text>
    </section>
  );
}
