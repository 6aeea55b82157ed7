// Builds the app into out/ if it was not built from the current sources.
import { join } from 'node:path';
import { isBuilt } from './build-stamp.mjs';

/** Builds main, preload, engine and interface, unless out/ is up to date. */
export async function ensureBuilt(root) {
  if (!isBuilt(root)) await buildApp(root);
}

/** Builds them even if no source has changed. */
export async function buildApp(root) {
  const { createBuilder } = await import('vite');
  const builder = await createBuilder({
    root: join(root, 'renderer'),
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
  });
  await builder.buildApp();
}
