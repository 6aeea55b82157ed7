// `npm run make [-- --team FILE] [-- --dir]`: builds the installers of the system that it runs on.
// --dir packs the app's folder without installers.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../build-app.mjs';
import { configureBuilder } from './builder-config.mjs';

const root = dirname(dirname(import.meta.dirname));
const systems = { linux: 'LINUX', darwin: 'MAC', win32: 'WINDOWS' };

function showWarnings(warnings) {
  const rule = '!'.repeat(80);
  for (const warning of warnings) console.error(`\n${rule}\n${warning}\n${rule}\n`);
}

async function make() {
  const { values } = parseArgs({
    options: { team: { type: 'string' }, dir: { type: 'boolean', default: false } },
  });
  // A workflow sets a variable to an empty text if its secret is not set.
  for (const [name, value] of Object.entries(process.env))
    if (value === '') delete process.env[name];
  const system = systems[process.platform];
  if (system === undefined) throw new Error(`There are no installers for ${process.platform}.`);
  const given = values.team ?? (process.env.DESK_TEAM_CONFIG || null);
  const callerDir = process.env.INIT_CWD ?? process.cwd();
  const teamFile = given === null ? null : resolve(callerDir, given);
  const { config, warnings } = await configureBuilder(
    root,
    process.platform,
    process.env,
    teamFile,
  );
  showWarnings(warnings);
  await ensureBuilt(root);
  const { Arch, build, Platform } = await import('electron-builder');
  const electronDist = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const made = await build({
    projectDir: root,
    targets: Platform[system].createTarget(values.dir ? 'dir' : null, Arch[process.arch]),
    config: { ...config, ...(electronDist && existsSync(electronDist) && { electronDist }) },
    publish: 'never',
  });
  for (const path of made) console.log(path);
  if (values.dir) console.log(join(root, 'dist'));
  // Again, where it is not above hundreds of lines.
  showWarnings(warnings);
}

await make().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
