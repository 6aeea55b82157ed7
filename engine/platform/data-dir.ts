// The default data folder, and the path of an engine's local socket.
import { createHash } from 'node:crypto';
import { createConnection } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const folderName = 'enrichment-desk';

export function defaultDataDir(): string {
  const { env, platform } = process;
  if (env.DESK_DATA_DIR) return resolve(env.DESK_DATA_DIR);
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData/Local'), folderName);
  if (platform === 'darwin') return join(homedir(), 'Library/Application Support', folderName);
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local/share'), folderName);
}

/** Maximum length of a Unix socket path on all systems. */
const socketPathCharactersMax = 100;

/** The local socket of a data folder: a file in it, or a named pipe on Windows. */
export function socketPathOf(dataDir: string): string {
  const path = join(resolve(dataDir), 'engine.sock');
  const short = createHash('sha256').update(path).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\${folderName}-${short}`;
  // A long path does not fit, so the socket is in the user's runtime folder instead.
  return path.length <= socketPathCharactersMax
    ? path
    : join(process.env.XDG_RUNTIME_DIR ?? '/tmp', `${folderName}-${short}.sock`);
}

export const answersAt = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
