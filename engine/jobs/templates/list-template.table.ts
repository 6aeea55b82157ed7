// The table `list_template` in engine.db.
import {
  type NewTemplate,
  type Template,
  TemplateSchema,
} from '../../contract/reading/template.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { type JsonColumns, readJsonColumns } from '../../platform/sqlite/read-json.ts';
import { statement } from '../../platform/sqlite/statement.ts';

interface Row extends Pick<Template, 'id' | 'name' | 'full_name_column' | 'saved_at'> {
  readonly headers: string;
  readonly mapping: string;
  readonly selected_layers: string;
}

const { shape } = TemplateSchema;
const jsonColumns: JsonColumns<Pick<Template, 'headers' | 'mapping' | 'selected_layers'>> = {
  headers: [shape.headers, []],
  mapping: [shape.mapping, {}],
  selected_layers: [shape.selected_layers, []],
};

/** The templates of an account, the latest first, without damaged ones. */
export const listTemplates = (database: ReadableDatabase, accountId: number): Template[] =>
  statement<Row>(
    database,
    `SELECT id, name, headers, mapping, full_name_column, selected_layers, saved_at
     FROM list_template WHERE account_id = ? ORDER BY saved_at DESC, id DESC`,
  )
    .all(accountId)
    .flatMap((row) => {
      const { damage, ...values } = readJsonColumns(row, jsonColumns);
      return damage === null ? [{ ...row, ...values }] : [];
    });

export const countOthers = (database: ReadableDatabase, accountId: number, name: string): number =>
  statement<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM list_template WHERE account_id = ? AND name <> ?',
  ).get(accountId, name)?.count ?? 0;

/** Adds a template, or replaces the one of its name. Returns its id. */
export const putTemplate = (
  database: WritableDatabase,
  accountId: number,
  template: NewTemplate,
  at: string,
): number =>
  statement<{ id: number }>(
    database,
    `INSERT INTO list_template
       (account_id, name, headers, mapping, full_name_column, selected_layers, saved_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, name) DO UPDATE SET headers = excluded.headers,
       mapping = excluded.mapping, full_name_column = excluded.full_name_column,
       selected_layers = excluded.selected_layers, saved_at = excluded.saved_at
     RETURNING id`,
  ).get(
    accountId,
    template.name,
    JSON.stringify(template.headers),
    JSON.stringify(template.mapping),
    template.full_name_column,
    JSON.stringify(template.selected_layers),
    at,
  )?.id ?? 0;

export const renameTemplate = (
  database: WritableDatabase,
  { accountId, id, name }: { accountId: number; id: number; name: string },
): boolean =>
  statement(database, 'UPDATE list_template SET name = ? WHERE account_id = ? AND id = ?').run(
    name,
    accountId,
    id,
  ).changes > 0;

export const isNameTaken = (
  database: ReadableDatabase,
  { accountId, id, name }: { accountId: number; id: number; name: string },
): boolean =>
  statement(
    database,
    'SELECT 1 FROM list_template WHERE account_id = ? AND name = ? AND id <> ?',
  ).get(accountId, name, id) !== undefined;

export const deleteTemplate = (
  database: WritableDatabase,
  { accountId, id }: { accountId: number; id: number },
): boolean =>
  statement(database, 'DELETE FROM list_template WHERE account_id = ? AND id = ?').run(
    accountId,
    id,
  ).changes > 0;
