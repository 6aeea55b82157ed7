// The address under which a proxy with TLS passes requests to the engine. The engine itself still
// listens on loopback alone, and ignores X-Forwarded headers: any program can send them.
import { invalid } from '../contract/errors.ts';

/** Reads the address. Throws `validation_error`. */
export function parsePublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare =
    url &&
    url.pathname === '/' &&
    [url.username, url.password, url.search, url.hash].join('') === '';
  if (url?.protocol !== 'https:' || !isBare)
    throw invalid(
      `${text} is not the address of a proxy with TLS. Give https:// and a host alone, such as ` +
        'https://desk.team.example.',
    );
  return url;
}
