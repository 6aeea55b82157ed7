/** The menus of each platform, and the keys that the help lists. */
import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { menuKeys } from '../../engine/contract/desktop/menu-keys.ts';
import { listMenus } from '../../main/menu.ts';
import type { Updates } from '../../main/updates/updates.ts';

const flatten = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);
const menusOf = (platform: NodeJS.Platform) =>
  flatten(listMenus(platform, 'system', {} as unknown as Updates));

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
