// The menus of each platform, and the keys that the help lists.
import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import { menuKeys } from '../../engine/contract/desktop/menu-keys.ts';
import { listMenus } from '../../main/menu.ts';
import { shell } from '../double/electron.ts';

const flatten = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);
const menusOf = (platform: NodeJS.Platform) =>
  flatten(
    listMenus(platform, 'system', {
      updates: { check: async () => undefined },
      dataDir: () => '/data',
    }),
  );

test.each(['linux', 'win32', 'darwin'] as const)('on %s the menu is complete', (platform) => {
  const items = menusOf(platform);
  const ids = items.flatMap(({ id }) => id ?? []);
  expect(ids).toEqual(expect.arrayContaining(['open-file', 'settings', 'quit', 'shortcuts']));
  expect(new Set(ids).size).toBe(ids.length);
  const roles = items.map(({ role }) => role);
  for (const role of ['editMenu', 'windowMenu', 'close', 'about', 'help', 'quit'] as const)
    expect(roles).toContain(role);
  expect(roles.includes('recentDocuments')).toBe(platform === 'darwin');
  expect(roles.includes('services')).toBe(platform === 'darwin');
  // Every key of the menu is in the help, and the other way round.
  const used = items.flatMap(({ accelerator }) => accelerator ?? []);
  const listed = Object.values(menuKeys).map(({ accelerator }) => accelerator);
  expect([...used].sort()).toEqual([...listed].sort());
});

test('Help opens the folder of the engine’s data, its log and the reports of crashes', () => {
  const opened = vi.spyOn(shell, 'openPath').mockResolvedValue('');
  for (const id of ['data-folder', 'engine-log', 'crash-reports'])
    menusOf('linux')
      .find((item) => item.id === id)
      ?.click?.({} as never, undefined, {} as never);
  expect(opened.mock.calls.flat()).toEqual([
    '/data',
    expect.stringMatching(/engine\.log$/),
    expect.stringMatching(/crash-reports$/),
  ]);
  opened.mockRestore();
});
