/** Names a browser by its User-Agent header, for a person's list of browsers. */

// The first that fits counts: Edge and Opera also name Chrome, and Chrome also names Safari.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Such as "Firefox on Linux". The text of the header itself is not kept. */
export function nameBrowser(userAgent: string | undefined): string {
  const find = (table: typeof browsers) =>
    table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  return `${browser ?? 'Unknown browser'}${system ? ` on ${system}` : ''}`;
}
