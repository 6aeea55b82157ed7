// Packs the bundle for Claude Desktop: a zip of the manifest, the icon and the server's single
// file.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { tools } from '../engine/contract/assistants/tools.ts';

const root = dirname(import.meta.dirname);
// The earliest year in a zip; a constant, so that the same source gives the same bytes.
const mtime = new Date(1980, 0, 1);

/**
 * Writes the bundle and removes the server's folder.
 * @param {{ serverDir: string, version: string, path: string }} parts serverDir: contains index.js
 */
export function packBundle({ serverDir, version, path }) {
  const manifest = JSON.parse(readFileSync(join(root, 'resources/mcpb/manifest.json'), 'utf8'));
  const listed = Object.entries(tools).map(([name, { description }]) => ({ name, description }));
  const long_description = `${listed.length} tools. ${manifest.long_description}`;
  const whole = { ...manifest, version, long_description, tools: listed };
  const files = {
    'manifest.json': Buffer.from(`${JSON.stringify(whole, null, 2)}\n`),
    'icon.png': readFileSync(join(root, 'resources/icons/icon.png')),
    'server/index.mjs': readFileSync(join(serverDir, 'index.js')),
  };
  writeFileSync(path, zipSync(files, { mtime, level: 9 }));
  rmSync(serverDir, { recursive: true });
}
