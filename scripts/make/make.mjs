// `npm run make [-- --team FILE] [--dir] [--arch arm64] [--with-older]`: builds the installers of
// the system that it runs on. --dir packs the app's folder without installers. --arch arm64, on
// Windows, builds for that processor: the signing program needs x64. --with-older also builds an
// app of an older version into dist/older, from which the release tests the update.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildApp, ensureBuilt } from '../build-app.mjs';
import { configureBuilder } from './builder-config.mjs';
import { addNative } from './natives.mjs';

const root = dirname(dirname(import.meta.dirname));
const systems = { linux: 'LINUX', darwin: 'MAC', win32: 'WINDOWS' };
/** The version and the kinds of the older app: those that can replace themselves. */
const older = { version: '0.0.1', targets: { linux: 'AppImage', darwin: 'dir', win32: 'nsis' } };

function showWarnings(warnings) {
  const rule = '!'.repeat(80);
  for (const warning of warnings) console.error(`\n${rule}\n${warning}\n${rule}\n`);
}

async function make() {
  const { values } = parseArgs({
    options: {
      team: { type: 'string' },
      dir: { type: 'boolean', default: false },
      arch: { type: 'string', default: process.arch },
      'with-older': { type: 'boolean', default: false },
    },
  });
  // A workflow sets a variable to an empty text if its secret is not set.
  for (const [name, value] of Object.entries(process.env))
    if (value === '') delete process.env[name];
  const system = systems[process.platform];
  if (system === undefined) throw new Error(`There are no installers for ${process.platform}.`);
  if (values.arch !== process.arch) {
    if (process.platform !== 'win32' || values.arch !== 'arm64')
      throw new Error(`Build the installers for ${values.arch} on a machine with that processor.`);
    addNative(root, 'win32', 'arm64');
  }
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
  // The feed of updates and its key are constants of the build.
  const { DESK_UPDATE_FEED, DESK_UPDATE_KEY } = process.env;
  if (DESK_UPDATE_FEED || DESK_UPDATE_KEY) await buildApp(root);
  else await ensureBuilt(root);
  const { Arch, build, Platform } = await import('electron-builder');
  const electronDist = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const pack = (target, changes) =>
    build({
      projectDir: root,
      targets: Platform[system].createTarget(target, Arch[values.arch]),
      config: {
        ...config,
        ...(electronDist && existsSync(electronDist) && { electronDist }),
        ...changes,
      },
      publish: 'never',
    });
  const made = await pack(values.dir ? 'dir' : null, {});
  if (values['with-older']) {
    const extraMetadata = { version: older.version };
    const directories = { output: join(root, 'dist/older') };
    made.push(...(await pack(older.targets[process.platform], { extraMetadata, directories })));
  }
  for (const path of made) console.log(path);
  if (values.dir) console.log(join(root, 'dist'));
  // Again, where it is not above hundreds of lines.
  showWarnings(warnings);
}

await make().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
