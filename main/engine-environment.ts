// Environment variables that the engine may see. By default a child process would see all.
import { allocatorEnvironment } from '../engine/contract/limits/platform.ts';

const names = new Set([
  'APPDATA',
  // Where the AppImage is: an organisation puts team.json next to it.
  'APPIMAGE',
  'DBUS_SESSION_BUS_ADDRESS',
  'HOME',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'LANG',
  'LC_ALL',
  'LOCALAPPDATA',
  'LOGNAME',
  'NO_PROXY',
  'PATH',
  // Where an administrator puts the organisation's policy on Windows.
  'PROGRAMDATA',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TMPDIR',
  'TZ',
  'USER',
  'USERNAME',
  'USERPROFILE',
]);
const prefixes = /^(DESK|XDG)_/;

/** The engine's environment: paths, locale, proxies, the keychain's bus and the app's variables. */
export const pickEngineEnvironment = (environment: NodeJS.ProcessEnv): Record<string, string> => ({
  ...allocatorEnvironment,
  ...Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        // Windows has some of these names in mixed case.
        entry[1] !== undefined && (names.has(entry[0].toUpperCase()) || prefixes.test(entry[0])),
    ),
  ),
});
