/**
 * The app of an installer, packed with a stand-in for Electron's files, does the main job from
 * there. test/package/pack.test.ts has its content.
 * @module-tag full
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { expect, test } from 'vitest';
import { scratch } from '../launch.ts';
import { openDesk } from '../open-desk.ts';
import { packApp } from '../package/pack-app.ts';
import { trySample } from './try-sample.ts';

test.runIf(process.platform === 'linux')(
  'the packed app opens its window, enriches the sample and saves it',
  async () => {
    using place = scratch();
    const { archive } = await packApp('linux', process.arch as 'x64' | 'arm64', place.dir);
    const appDir = join(place.dir, 'extracted');
    extractAll(archive, appDir);
    const desk = await openDesk('desktop', { appDir });
    try {
      await trySample(desk);
      const saved = join(place.dir, 'enriched.csv');
      await desk.saveCsv(saved);
      expect(readFileSync(saved, 'utf8')).toMatch(/Enrichment status.*\r\n(.*\r\n)*.*,enriched,/);
    } finally {
      await desk.close();
    }
  },
);
