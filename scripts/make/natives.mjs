// The binary of the keychain's module for another processor, which npm does not install here. The
// other native module has those of all processors.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNpm } from '../run-npm.mjs';

/**
 * Puts the binary into node_modules, with the version and the hash of the lock file. Throws if the
 * registry has another file.
 * @param {string} root the project
 * @param {'win32'} platform the system for which this is tested
 * @param {string} processor such as arm64
 */
export function addNative(root, platform, processor) {
  const name = `@napi-rs/keyring-${platform}-${processor}-msvc`;
  const folder = join(root, 'node_modules', name);
  if (existsSync(folder)) return;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = lock.packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json does not have ${name}.`);
  const scratch = mkdtempSync(join(tmpdir(), 'desk-native-'));
  try {
    const args = ['pack', `${name}@${locked.version}`, '--json', '--pack-destination', scratch];
    const [packed] = JSON.parse(runNpm(args, { cwd: root }));
    if (packed.integrity !== locked.integrity)
      throw new Error(`${name} does not have the hash of package-lock.json.`);
    mkdirSync(folder, { recursive: true });
    const unpack = ['-xzf', packed.filename, '-C', folder, '--strip-components=1'];
    const { status } = spawnSync('tar', unpack, { cwd: scratch, stdio: 'inherit' });
    if (status !== 0) throw new Error(`tar could not unpack ${packed.filename}.`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
