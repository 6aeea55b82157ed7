/** `desk keys …`: the API keys of an account. */
import { z } from 'zod';
import { CreatedKeySchema, type Key, KeySchema } from '../contract/app.ts';
import { type Command, requireOption } from './command.ts';
import { formatTable } from './format-text.ts';

const describeUse = (key: Key): string => {
  if (key.revoked_at !== null) return `revoked ${key.revoked_at}`;
  return key.last_used_at === null ? 'never used' : `last used ${key.last_used_at}`;
};

/** `desk keys create`, `list` and `revoke`. */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys create',
    summary: 'Make an API key; it is shown once',
    usage: '--label L',
    positionals: [0, 0],
    options: { label: { value: 'L', summary: 'what the key is for' } },
    async run(call) {
      const label = requireOption(call, 'label', 'say what the key is for');
      const engine = await call.openEngine();
      const created = await engine.request(CreatedKeySchema, 'POST', 'keys', { label });
      const { id, key } = created;
      call.terminal.note('Keep this key now: only its hash is stored, it is never shown again.');
      return { json: { id, key }, lines: [key] };
    },
  },
  {
    name: 'keys list',
    summary: 'List the API keys of an account',
    usage: '',
    positionals: [0, 0],
    async run(call) {
      const engine = await call.openEngine();
      const keys = await engine.request(z.array(KeySchema), 'GET', 'keys');
      const rows = keys.map((key) => [key.id, `${key.prefix}…`, key.label, describeUse(key)]);
      return { json: keys, lines: rows.length ? formatTable(rows) : ['No key yet.'] };
    },
  },
  {
    name: 'keys revoke',
    summary: 'Revoke an API key at once',
    usage: 'ID',
    positionals: [1, 1],
    async run(call) {
      const engine = await call.openEngine();
      const id = encodeURIComponent(call.positionals[0] ?? '');
      const key = await engine.request(KeySchema, 'DELETE', `keys/${id}`);
      return { json: key, lines: [`Key "${key.label}" (${key.prefix}…) is revoked.`] };
    },
  },
];
