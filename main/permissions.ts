// Permissions of the page. Electron would grant all of them by default.
import type { Session } from 'electron';
import { isAppUrl } from './app-origin.ts';

/** Permissions that the app's origin is granted, and why. */
const granted: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write', // "Copy" next to a new key and in the grid
]);

export const isGranted = (permission: string, address: string): boolean =>
  granted.has(permission) && isAppUrl(address);

/** Denies all other permissions, and all devices. */
export function setupPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isGranted(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isGranted(permission, origin),
  );
  session.setDevicePermissionHandler(() => false);
}
