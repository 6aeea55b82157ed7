// The content security policy and nonce of the interface's page, for every server of it.

/** Placeholder in the built index.html for the nonce of a response. */
export const noncePlaceholder = '__CSP_NONCE__';

/**
 * Builds the content security policy of one response.
 * @param nonce allows the style elements that the component library writes at run time
 * @param extra further sources by directive, for the development server and the failure page
 */
export function writePagePolicy(
  nonce: string,
  extra: Readonly<Record<string, readonly string[]>> = {},
): string {
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'worker-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources, ...(extra[name] ?? [])].join(' '))
    .join('; ');
}
