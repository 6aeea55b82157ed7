// `npm start` builds unless out/ was built from the present sources.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBuilt, recordBuild } from '../scripts/build-stamp.mjs';
import { scratch } from './launch.ts';

let place: ReturnType<typeof scratch>;
const write = (path: string, text = '') => {
  mkdirSync(dirname(join(place.dir, path)), { recursive: true });
  writeFileSync(join(place.dir, path), text);
};
const build = async () => {
  for (const name of ['main', 'writer-thread', 'team-worker', 'got', 'hyparquet'])
    write(`out/engine/${name}.js`);
  for (const path of ['main/index.js', 'preload/preload.cjs']) write(`out/${path}`);
  write('out/renderer/index.html');
};

beforeEach(async () => {
  place = scratch();
  write('vite.config.ts');
  write('engine/cli/main.ts', 'old');
  write('resources/sample/a.csv', 'a');
  await recordBuild(place.dir, build);
});
afterEach(() => place[Symbol.dispose]());

test('a build of the present sources is valid', () => {
  expect(isBuilt(place.dir)).toBe(true);
});

test.each<[string, () => void]>([
  ['a source is changed', () => write('engine/cli/main.ts', 'newer')],
  ['the id of the app is changed', () => write('electron-builder.yml', 'appId: other')],
  ['a source is added', () => write('engine/cli/more.ts')],
  ['a source is removed', () => rmSync(join(place.dir, 'resources/sample/a.csv'))],
  ['a source is written again', () => utimesSync(join(place.dir, 'vite.config.ts'), 1, 1)],
  ['a bundle is missing', () => rmSync(join(place.dir, 'out/main'), { recursive: true })],
])('a build is no longer valid once %s', (_what, change) => {
  change();
  expect(isBuilt(place.dir)).toBe(false);
});

test('a failed build is not valid, even if an earlier one was', async () => {
  const failed = recordBuild(place.dir, () => Promise.reject(new Error('no build')));
  await expect(failed).rejects.toThrow('no build');
  expect(isBuilt(place.dir)).toBe(false);
});
