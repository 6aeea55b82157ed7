/** The provider of each environment, and the validation of its settings. */
import { expect, test } from 'vitest';
import { createProvider, openProvider } from '../../engine/providers/create-provider.ts';

test('staging has the sandbox behind its directory, and live has no provider', () => {
  expect(createProvider('staging')?.name).toBe('Sandbox upstream');
  expect(createProvider('live')).toBeNull();
});

test('a provider is opened with its deps', async () => {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const sandbox = openProvider({ name: 'sandbox', settings: () => ({}) }, { fetch, wait });
  const rows = [{ email: 'slow@sandbox.example' }, { email: 'nobody@else.example' }];
  const answers = await sandbox.answer({ id: 'one', rows }, new AbortController().signal);
  expect(answers.map(({ kind }) => kind)).toEqual(['found', 'nothing']);
  expect(waits).toHaveLength(1);
});

test('invalid settings are refused with the name of their provider', () => {
  const settings = (env: NodeJS.ProcessEnv) => ({ key: env.KEY }) as never;
  const open = () =>
    openProvider(
      { name: 'sandbox', settings },
      { fetch, wait: async () => undefined },
      { KEY: 'x' },
    );
  expect(open).toThrow(/^settings of provider sandbox: .*key/is);
});
