// Packs the npm package: `npm run pack [-- --out FOLDER]` writes it into dist/.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../build-app.mjs';
import { runNpm } from '../run-npm.mjs';
import { stagePackage, writeJson, writeServerEntry } from './stage.mjs';

/**
 * Packs a built project into one .tgz, with its server.json for the registry of the Model Context
 * Protocol next to it.
 * @param {string} root the project
 * @param {string} outputDir absolute; is created
 */
export function packForNpm(root, outputDir) {
  const stage = mkdtempSync(join(tmpdir(), 'desk-pack-'));
  try {
    stagePackage(root, stage);
    mkdirSync(outputDir, { recursive: true });
    const printed = runNpm(
      ['pack', '--json', '--ignore-scripts', '--pack-destination', outputDir],
      {
        cwd: stage,
      },
    );
    const packed = JSON.parse(printed);
    // npm 12 prints an object by package name, npm 11 a list.
    const { filename } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
    const path = join(outputDir, filename);
    const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    writeJson(join(outputDir, 'server.json'), writeServerEntry(project));
    return { path, bytes: statSync(path).size };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const root = dirname(dirname(import.meta.dirname));
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' } } });
  await ensureBuilt(root);
  const callerDir = process.env.INIT_CWD ?? root;
  const outputDir = values.out === 'dist' ? join(root, 'dist') : resolve(callerDir, values.out);
  const { path, bytes } = packForNpm(root, outputDir);
  console.log(`${path} (${(bytes / 1e6).toFixed(1)} MB)`);
  console.log(`Install it with: npm install -g ${path}`);
}
