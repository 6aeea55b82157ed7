// The configuration for electron-builder: electron-builder.yml, and what depends on the machine.
import { join } from 'node:path';
import { chooseSigning } from './signing.mjs';
import { packTeamFile } from './team-file.mjs';

/** The address in a build without a feed of its own. It is never asked. */
const noFeed = 'https://example.invalid/enrichment-desk';

/**
 * The feed of updates. Every build has one for electron-builder, which otherwise writes neither the
 * files of a feed nor the file that electron-updater reads in an app whose team names its feed.
 */
function choosePublish(env) {
  const url = (env.DESK_UPDATE_FEED || noFeed).replace(/\/$/, '');
  if (!/^https:\/\//.test(url))
    throw new Error(`DESK_UPDATE_FEED must start with https://, and is ${url}.`);
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
  const team = teamFile === null ? {} : { files: [await packTeamFile(root, teamFile)] };
  return {
    config: {
      extends: join(root, 'electron-builder.yml'),
      publish: choosePublish(env),
      // A version such as 1.2.0-beta.1 is a beta; stable versions are also offered to its readers.
      generateUpdatesFilesForAllChannels: true,
      ...team,
      ...config,
    },
    warnings,
  };
}
