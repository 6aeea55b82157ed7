// Runs the app's built main module with the stand-in, as `electron .` would.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { start } from './chromium.ts';
import * as electron from './electron.ts';
import type { CheckedStandIn } from './electron-types.ts';

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: standIn, shortCircuit: true }
      : next(specifier, context),
});

/** A function of the test that runs here with the stand-in as its first argument. */
interface Evaluation {
  id: number;
  code: string;
  argument: unknown;
}
async function evaluate({ id, code, argument }: Evaluation): Promise<void> {
  try {
    const run = new Function(`return (${code})`)();
    process.send?.({ id, value: await run(electron satisfies CheckedStandIn, argument) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
}
process.on('message', (message) => void evaluate(message as Evaluation));
process.on('disconnect', () => electron.app.exit(0));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => electron.app.quit());

const manifest = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8'));
await import(pathToFileURL(join(process.cwd(), manifest.main)).href);
const browserUrl = await start();
process.send?.({ browserUrl });
