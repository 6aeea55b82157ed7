// What the schema refuses of templates of lists; schema.test.ts runs them.

const template = (changes: Partial<Record<'name' | 'headers' | 'mapping' | 'layers', string>>) => {
  const { name = "'HubSpot'", headers = "'[]'", mapping = "'{}'", layers = "'[]'" } = changes;
  return `INSERT INTO list_template (account_id, name, headers, mapping, selected_layers, saved_at)
    VALUES (1, ${name}, ${headers}, ${mapping}, ${layers}, 'now');`;
};

/** [what, SQL, the message of the refusal], with the store that schema.test.ts fills. */
export const templateRefusals: (readonly [what: string, sql: string, message: string])[] = [
  ['a template without a name', template({ name: "''" }), "name <> ''"],
  [
    'two templates of one name',
    template({}) + template({}),
    'UNIQUE constraint failed: list_template.account_id, list_template.name',
  ],
  [
    'headers of a template that are no list',
    template({ headers: "'{}'" }),
    "json_type(headers) = 'array'",
  ],
  [
    'a mapping of a template that is no object',
    template({ mapping: "'[]'" }),
    "json_type(mapping) = 'object'",
  ],
  [
    'layers of a template that are no list',
    template({ layers: "'{}'" }),
    "json_type(selected_layers) = 'array'",
  ],
];
