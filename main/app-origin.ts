/** The one origin of the desktop interface, and whether an address belongs to it. */

/** The scheme that the interface is served by. */
export const appScheme = 'app';
/** The only host of that scheme. */
export const appHost = 'desk';
/** The origin as Chromium writes it. */
export const appOrigin = `${appScheme}://${appHost}`;
/** The address of the interface's first screen. */
export const appPageUrl = `${appOrigin}/`;

/** Whether an address is the interface's own. Compares parsed parts, never beginnings of text. */
export function isAppUrl(address: string): boolean {
  const url = URL.parse(address);
  // Outside Chromium, URL.origin of a scheme that is not http is "null".
  return url !== null && url.protocol === `${appScheme}:` && url.host === appHost;
}
