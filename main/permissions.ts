/** What the page may ask of the browser: Electron by itself would approve everything. */
import type { Session } from 'electron';
import { isAppUrl } from './app-origin.ts';

/** Each permission that is granted to our own origin, and why. */
const granted: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write', // "Copy" beside a new key and in the grid
]);

/** Whether a page of this address gets this permission. */
export const isGranted = (permission: string, address: string): boolean =>
  granted.has(permission) && isAppUrl(address);

/** Denies everything but the table above, and every device. */
export function setupPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isGranted(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isGranted(permission, origin),
  );
  session.setDevicePermissionHandler(() => false);
}
