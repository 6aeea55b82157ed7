// Definitions for tests: a small finder of emails, with changes.
import {
  type ProviderDefinition,
  ProviderDefinitionSchema,
  type ProviderOperation,
} from '../../../engine/contract/provider-definition.ts';

/** One row for each request, found by GET; as the file has it. */
export const finderOperation = {
  id: 'find-email',
  gives: ['work_email'],
  needs: [['first_name', 'last_name', 'company_domain']],
  request: {
    method: 'GET',
    url: 'https://api.finder.example/v1/find/{{row.company_domain}}',
    query: { first: '{{row.first_name}}', last: '{{row.last_name}}' },
  },
  map: { email: 'email' },
  cost: { max: { row: 1 } },
};

/** A definition as its file has it, with other keys on top. */
export const definitionFile = (changes: object = {}): Record<string, unknown> => ({
  id: 'finder',
  title: 'Finder',
  docs: 'https://finder.example/docs',
  hosts: ['api.finder.example'],
  auth: { in: 'header', name: 'X-Key' },
  ops: [finderOperation],
  ...changes,
});

/** A parsed definition, with other keys on top. */
export const makeDefinition = (changes: object = {}): ProviderDefinition =>
  ProviderDefinitionSchema.parse(definitionFile(changes));

/** A parsed operation, with other keys on top. */
export const makeOperation = (changes: object = {}): ProviderOperation =>
  makeDefinition({ ops: [{ ...finderOperation, ...changes }] }).ops[0] as ProviderOperation;
