// `node scripts/release/use-app.mjs PROGRAM [ARGUMENT…]`: starts an app with an empty data folder,
// enriches the sample through its window, and quits it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from './open-app.mjs';

/** Enriches the sample from the first screen. Returns the sentence of the result. */
async function enrichSample(page) {
  await page.getByRole('button', { name: 'Try the sample', disabled: false }).click();
  await page.getByRole('button', { name: /^Enrich \d+ rows, at most/ }).click();
  return page.getByText(/rows enriched/).textContent();
}

const [path, ...args] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'desk-use-'));
try {
  const app = await openApp(path, [...args, `--user-data-dir=${join(dataDir, 'user')}`], {
    DESK_DATA_DIR: join(dataDir, 'engine'),
    DESK_PORT: '0',
  });
  console.log(`The app ${app.version} enriched its sample: ${await enrichSample(app.page)}`);
  await app.quit();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  console.log('The app quit.');
  process.exit(0);
} catch (error) {
  console.error(`The app did not work: ${error.message}. Its data is in ${dataDir}.`);
  process.exit(1);
}
