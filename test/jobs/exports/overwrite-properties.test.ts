// Overwrite rules hold for any rows, rules and found values. The expected cells are not computed:
// each cell is made from a line of the table below, which says who wins.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ColumnRule,
  type OverwriteRule,
  OverwriteSchema,
} from '../../../engine/contract/exports/overwrite.ts';
import { protectFormula } from '../../../engine/contract/exports/protect-formula.ts';
import { runsOf } from '../../property-runs.ts';
import {
  makeFolder,
  readOther,
  readOwn,
  writePieces,
} from '../../spreadsheet/export/read-exported.ts';
import { type Found, openExportFixture } from './export-fixture.ts';

type Own = 'empty' | 'same' | 'other';
type Day = 'earlier' | 'equal' | 'later' | 'unknown';
type Line = readonly [
  rule: OverwriteRule,
  /** The user's value, compared with the found one. */
  own: Own,
  /** The day of the found value, compared with the day of the row. */
  day: Day | 'any',
  source: 'listed' | 'unlisted' | 'any',
  winner: 'found' | 'own',
];

const table: readonly Line[] = [
  ['fill_empty', 'empty', 'any', 'any', 'found'],
  ['fill_empty', 'same', 'any', 'any', 'own'],
  ['fill_empty', 'other', 'any', 'any', 'own'],
  ['newer', 'empty', 'any', 'any', 'found'],
  ['newer', 'same', 'any', 'any', 'own'],
  ['newer', 'other', 'later', 'any', 'found'],
  ['newer', 'other', 'equal', 'any', 'own'],
  ['newer', 'other', 'earlier', 'any', 'own'],
  ['newer', 'other', 'unknown', 'any', 'own'],
  ['trusted', 'empty', 'any', 'listed', 'found'],
  ['trusted', 'empty', 'any', 'unlisted', 'own'],
  ['trusted', 'same', 'any', 'any', 'own'],
  ['trusted', 'other', 'any', 'listed', 'found'],
  ['trusted', 'other', 'any', 'unlisted', 'own'],
  ['never', 'empty', 'any', 'any', 'own'],
  ['never', 'same', 'any', 'any', 'own'],
  ['never', 'other', 'any', 'any', 'own'],
];

const rules = {
  fill_empty: { rule: 'fill_empty' },
  newer: { rule: 'newer', date_column: 'Updated' },
  trusted: { rule: 'trusted', sources: ['Listed'] },
  never: { rule: 'never' },
} as const satisfies Record<OverwriteRule, ColumnRule>;

const headers = ['Id', 'Title', 'Company', 'Updated', 'Email', 'Note'];
const mapping = { client_reference_id: 0, title: 1, company_name: 2, email: 4 };
const ruled = [
  { column: 1, field: 'Current title' },
  { column: 2, field: 'Current company name' },
  { column: 4, field: 'Email' },
] as const;
const rowDay = '2026-06-15';
const days = { earlier: '2026-06-14', equal: rowDay, later: '2026-06-16', unknown: '2026-07-01' };

const hostile = fc.constantFrom(
  '=1+1',
  '@SUM(A1)',
  '007',
  ' a\nb',
  '"q"',
  '<b>',
  '_x0041_',
  '+49 1',
);
const word = fc
  .oneof(fc.string({ minLength: 1, maxLength: 6 }), hostile)
  .filter((text) => text.trim() !== '' && !text.includes('\0'));

/** A cell of a ruled column that a line of the table describes. */
interface Cell {
  readonly line: Line;
  readonly own: string;
  readonly found: Found;
}

/** A cell for one of the lines of a rule; null without a found value. */
const cellOf = (rule: OverwriteRule, hasDay: boolean): fc.Arbitrary<Cell | null> => {
  const lines = table.filter(
    ([of, , day]) => of === rule && (day === 'any' || (day === 'unknown') === !hasDay),
  );
  const cell = fc
    .record({
      line: fc.constantFrom(...lines),
      value: word,
      anyDay: fc.constantFrom(...Object.values(days)),
      anySource: fc.constantFrom('listed', 'Elsewhere'),
      shout: fc.boolean(),
    })
    .map(({ line, value, anyDay, anySource, shout }): Cell => {
      const [, own, day, source] = line;
      const said = { listed: 'Listed', unlisted: 'Elsewhere', any: anySource }[source];
      const texts = { empty: shout ? '' : '  ', same: value, other: `${value} of theirs` };
      return { line, own: texts[own], found: [value, said, day === 'any' ? anyDay : days[day]] };
    });
  return fc.option(cell, { freq: 5 });
};

const rowOf = (chosen: readonly OverwriteRule[]) =>
  fc
    .boolean()
    .chain((hasDay) =>
      fc.record({
        id: fc.constantFrom('007', '12', ''),
        day: fc.constant(hasDay ? rowDay : ''),
        note: word,
        cells: fc.tuple(...chosen.map((rule) => cellOf(rule, hasDay))),
        without: word,
      }),
    )
    .map(({ id, day, note, cells, without }) => {
      const own = cells.map((cell) => cell?.own ?? without);
      return { given: [id, own[0]!, own[1]!, day, own[2]!, note], cells };
    });

const sheet = fc
  .tuple(...ruled.map(() => fc.constantFrom(...(Object.keys(rules) as OverwriteRule[]))))
  .chain((chosen) =>
    fc.record({
      chosen: fc.constant(chosen),
      rows: fc.array(rowOf(chosen), { minLength: 1, maxLength: 5 }),
    }),
  );

test('each cell has the value of the winner, every replaced one is listed, in both formats', async () => {
  const { finish, write, preview } = await openExportFixture();
  const folder = makeFolder();
  await fc.assert(
    fc.asyncProperty(sheet, async ({ chosen, rows }) => {
      const found = rows.map(({ cells }) =>
        Object.fromEntries(
          cells.flatMap((cell, at) => (cell ? [[ruled[at]!.field, cell.found]] : [])),
        ),
      );
      const given = rows.map((row) => row.given);
      const id = await finish(headers, given, mapping, found);
      const overwrite = OverwriteSchema.parse({
        columns: Object.fromEntries(
          ruled.map(({ column }, at) => [headers[column], rules[chosen[at]!]]),
        ),
      });
      const changes: unknown[][] = [];
      const expected = rows.map(({ cells }, row) => {
        const cellsOfRow = [...given[row]!];
        for (const [at, cell] of cells.entries()) {
          if (cell?.line[4] !== 'found') continue;
          const { column } = ruled[at]!;
          cellsOfRow[column] = cell.found[0];
          changes.push([row + 2, headers[column], cell.own, ...cell.found]);
        }
        return cellsOfRow;
      });
      const { path } = writePieces(write(id, { overwrite, format: 'xlsx' }), folder);
      const read = await readOwn(path);
      expect(read.map((cells) => headers.map((_header, at) => cells[at] ?? ''))).toEqual([
        headers,
        ...expected,
      ]);
      const listed = (await readOther(path, 'Changes'))
        .slice(1)
        .map((cells) =>
          cells
            .slice(0, 6)
            .map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : (cell ?? ''))),
        );
      expect(listed).toEqual(changes);
      const csv = parse(Buffer.from(write(id, { overwrite }).join(''))) as string[][];
      const isChanged = (row: number, column: number) =>
        changes.some(([at, name]) => at === row + 2 && name === headers[column]);
      expect(csv.slice(1)).toEqual(
        expected.map((cells, row) =>
          cells.map((cell, at) => (isChanged(row, at) ? protectFormula(cell) : cell)),
        ),
      );
      const diff = preview(id, overwrite);
      expect([diff.rows, diff.changed_cells]).toEqual([rows.length, changes.length]);
    }),
    { numRuns: runsOf(24) },
  );
});
