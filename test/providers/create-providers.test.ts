// The built-in providers of each environment.
import { expect, test } from 'vitest';
import { createProviders } from '../../engine/providers/create-providers.ts';

test('staging has the sandbox behind its directory, which is on, and live has none built in', () => {
  const installed = createProviders('staging').map(({ provider, isOn }) => [
    provider.describe().title,
    isOn,
  ]);
  expect(installed).toEqual([['Sandbox upstream', true]]);
  expect(createProviders('live')).toEqual([]);
});
