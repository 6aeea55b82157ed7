// What the schema refuses of templates of lists; schema.test.ts runs them.
import type { Refusal } from './temporary-store.ts';

const template = (changes: Partial<Record<'name' | 'headers' | 'mapping' | 'layers', string>>) => {
  const { name = "'HubSpot'", headers = "'[]'", mapping = "'{}'", layers = "'[]'" } = changes;
  return `INSERT INTO list_template (account_id, name, headers, mapping, selected_layers, saved_at)
    VALUES (1, ${name}, ${headers}, ${mapping}, ${layers}, 'now');`;
};

export const templateRefusals: readonly Refusal[] = [
  [template({ name: "''" }), "name <> ''"],
  [
    template({}) + template({}),
    'UNIQUE constraint failed: list_template.account_id, list_template.name',
  ],
  [template({ headers: "'{}'" }), "json_type(headers) = 'array'"],
  [template({ mapping: "'[]'" }), "json_type(mapping) = 'object'"],
  [template({ layers: "'{}'" }), "json_type(selected_layers) = 'array'"],
];
