// The origin of the desktop interface, and the check whether a URL belongs to it.

export const appScheme = 'app';
/** The only host of the scheme. */
export const appHost = 'desk';
/** The origin as Chromium writes it. */
export const appOrigin = `${appScheme}://${appHost}`;
/** The address of the interface's first screen. */
export const appPageUrl = `${appOrigin}/`;

/** Whether a URL belongs to the interface. Compares parsed parts, never string prefixes. */
export function isAppUrl(address: string): boolean {
  const url = URL.parse(address);
  // Outside Chromium, URL.origin is "null" for schemes other than http(s).
  return url !== null && url.protocol === `${appScheme}:` && url.host === appHost;
}
