// How a browser is named in the list of browsers.
import { expect, test } from 'vitest';
import { nameBrowser } from '../../engine/sessions/sessions.routes.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit}`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Edg/150.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} OPR/130.0.0.0`, 'Opera on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/150.0',
    'Firefox on macOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/20.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['curl/8.0 <script>', 'Unknown browser'],
  [undefined, 'Unknown browser'],
])('%s is %s', (userAgent, name) => {
  expect(nameBrowser(userAgent)).toBe(name);
});
