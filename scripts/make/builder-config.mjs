// The configuration for electron-builder: electron-builder.yml, and what depends on the machine.
import { join } from 'node:path';
import { chooseSigning } from './signing.mjs';
import { packTeamFile } from './team-file.mjs';

/**
 * The feed that installed apps ask for updates: below one address, a folder for each system and
 * processor. Null without an address: such an app never asks.
 */
function choosePublish(env) {
  const address = env.DESK_UPDATE_URL ?? '';
  if (address === '') return null;
  if (!/^https:\/\//.test(address))
    throw new Error(`DESK_UPDATE_URL must start with https://, and is ${address}.`);
  const url = `${address.replace(/\/$/, '')}/\${os}/\${arch}`;
  return { provider: 'generic', url };
}

/**
 * What is added to electron-builder.yml, and the warnings to show.
 * @param {string} root the project
 * @param {string} platform as in process.platform
 * @param {Record<string, string | undefined>} env
 * @param {string | null} teamFile absolute path
 */
export async function configureBuilder(root, platform, env, teamFile) {
  const { config, warnings } = chooseSigning(platform, env);
  const publish = choosePublish(env);
  const team = teamFile === null ? {} : { files: [await packTeamFile(root, teamFile)] };
  return {
    config: {
      extends: join(root, 'electron-builder.yml'),
      publish,
      // A version such as 1.2.0-beta.1 is a beta; stable versions are also offered to its readers.
      generateUpdatesFilesForAllChannels: publish !== null,
      ...team,
      ...config,
    },
    warnings,
  };
}
