// The values of a row in one table: what is yours, what was found, and where that is from.
import { Anchor } from '@mantine/core';
import { Fragment } from 'react';
import type { Provenance, ResultRow } from '../../../engine/contract/jobs/job.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Caption } from '../../components/text.tsx';
import { isAddressField, webAddress } from '../../components/web-address.ts';
import { describeProvenance } from '../../components/words.ts';
import { compareOwn, pairFound } from './compare-own.ts';
import type { JobColumn } from './job-columns.ts';
import { type ListPage, type ListRow, readOtherIds, readOwnValues } from './list-source.ts';
import classes from './row-panel.module.css';

const isEmail = (value: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);
const isPhone = (name: string): boolean => /phone|mobile|tel/i.test(name);

function findHref(name: string, value: string): string | null {
  if (isEmail(value)) return `mailto:${value}`;
  if (isPhone(name) && /\d/.test(value)) return `tel:${value.replace(/[^\d+]/g, '')}`;
  return isAddressField(name) ? webAddress(value) : null;
}

/** A text whose lines end behind the signs of an address, not within a word. */
export const BrokenLines = ({ text }: { text: string }) =>
  [...text.matchAll(/[^@./-]*[@./-]?/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

/** A value, as a link with a copy button if it is an email, a phone or an address. */
function ActiveValue({ name, value }: { name: string; value: string }) {
  const href = findHref(name, value);
  if (href === null) return value;
  const isWeb = href.startsWith('http');
  return (
    <span className={classes.active}>
      <Anchor
        href={href}
        size="sm"
        underline="always"
        {...(isWeb ? { target: '_blank', rel: 'noreferrer' } : {})}
      >
        <BrokenLines text={value} />
      </Anchor>
      <CopyButton value={value} label={`Copy ${value}`} />
    </span>
  );
}

/** One line of the table; null where the file or the result has no such value. */
interface Line {
  readonly id: string;
  readonly name: string;
  readonly own: string | null;
  /** The name of the found field; null if none corresponds. */
  readonly field: string | null;
  readonly found: string;
  readonly isSame: boolean;
}

/** What own lists say of the row. Columns of several lists that say the same are one. */
function listOwnValues(columns: ListPage['own_columns'], result: ResultRow): [string, string][] {
  const values = readOwnValues(columns, result);
  const said = columns.filter(({ name }) => values[name]);
  const groups = Map.groupBy(said, ({ kind, header, name }) =>
    header === null ? name : `${kind} ${header.toLowerCase()}`,
  );
  return [...groups.values()].flatMap((group): [string, string][] => {
    const texts = new Set(group.map(({ name }) => values[name] ?? ''));
    const [text] = texts;
    const [{ header } = { header: null }] = group;
    if (text !== undefined && header !== null && group.length > 1 && texts.size === 1)
      return [[header, text]];
    return group.map(({ name }) => [name, values[name] ?? '']);
  });
}

/** The lines: the caller's columns with what corresponds to them, then what else was found. */
function listLines(
  fields: readonly string[],
  columns: readonly JobColumn[],
  correspondences: ListPage['correspondences'],
  ownColumns: ListPage['own_columns'],
  row: ListRow,
): Line[] {
  const { input, result } = row;
  const found = result?.enriched_fields ?? {};
  const { pairs, used } = pairFound(correspondences, row);
  const own = columns
    .filter(({ kind }) => kind === 'input')
    .map(({ name }, index): Line => {
      const pair = pairs.get(index);
      const field = pair?.field ?? null;
      return {
        id: `own ${index}`,
        name,
        own: input[index] ?? '',
        field,
        found: pair?.found ?? '',
        isSame: pair?.isSame ?? false,
      };
    });
  const listed = result
    ? [...listOwnValues(ownColumns, result), ...Object.entries(readOtherIds(ownColumns, result))]
    : [];
  const lists = listed.map(
    ([name, value]): Line => ({
      id: `list ${name}`,
      name,
      own: null,
      field: null,
      found: value,
      isSame: false,
    }),
  );
  const others = fields
    .filter((name) => found[name] && !used.has(name))
    .map(
      (name): Line => ({
        id: name,
        name,
        own: null,
        field: name,
        found: found[name] ?? '',
        isSame: false,
      }),
    );
  return [...own, ...lists, ...others];
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

interface FoundCellProps {
  line: Line;
  source: string | null;
  columns?: number;
}

function FoundCell({ line, source, columns = 1 }: FoundCellProps) {
  const mark = compareOwn(line.own, line);
  return (
    <td dir="auto" colSpan={columns}>
      {line.found && <ActiveValue name={line.field ?? line.name} value={line.found} />}
      {mark && <span className={classes.mark}>{mark}</span>}
      {source && <span className={classes.source}>{source}</span>}
    </td>
  );
}

interface RowValuesProps {
  fields: readonly string[];
  columns: readonly JobColumn[];
  correspondences: ListPage['correspondences'];
  ownColumns: ListPage['own_columns'];
  data: ListRow | undefined;
}

/** The table; a section named “Found”, because it says what was found. */
export function RowValues({ fields, columns, correspondences, ownColumns, data }: RowValuesProps) {
  if (!data) return null;
  const { result } = data;
  const common = findCommon(result);
  const lines = listLines(fields, columns, correspondences, ownColumns, data);
  const besides = lines.filter(({ own }) => own === null);
  const sourceOf = ({ field }: Line): string | null => {
    const provenance = field === null ? undefined : result?.provenance[field];
    const text = provenance && describeProvenance(provenance);
    return text && text !== common ? text : null;
  };
  return (
    <section aria-label="Found">
      <Caption mb={6}>
        {common
          ? `Found values are from ${common}, unless stated otherwise.`
          : 'Nothing was found.'}
      </Caption>
      <table className={classes.values}>
        <colgroup>
          <col style={{ width: '26%' }} />
          <col style={{ width: common ? '32%' : undefined }} />
          {common && <col />}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Yours</th>
            {common && <th scope="col">Found</th>}
          </tr>
        </thead>
        <tbody>
          {lines
            .filter(({ own }) => own !== null)
            .map((line) => (
              <tr key={line.id}>
                <th scope="row" dir="auto">
                  <BrokenLines text={line.name} />
                </th>
                <td dir="auto">
                  {line.own ? <ActiveValue name={line.name} value={line.own} /> : '–'}
                </td>
                {common && <FoundCell line={line} source={sourceOf(line)} />}
              </tr>
            ))}
        </tbody>
        {besides.length > 0 && (
          <tbody>
            <tr>
              <th scope="colgroup" colSpan={common ? 3 : 2} className={classes.besides}>
                Found, not in your columns
              </th>
            </tr>
            {besides.map((line) => (
              <tr key={line.id}>
                <th scope="row" dir="auto">
                  <BrokenLines text={line.name} />
                </th>
                <FoundCell line={line} source={sourceOf(line)} columns={common ? 2 : 1} />
              </tr>
            ))}
          </tbody>
        )}
      </table>
    </section>
  );
}
