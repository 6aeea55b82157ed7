/** Types of refresh-mail-domains.mjs. */
/** The tables of domains of free mail and of disposable mail: sorted, without repetition. */
export function uniteMailDomains(
  free: readonly string[],
  disposable: readonly string[],
): { readonly free: readonly string[]; readonly disposable: readonly string[] };
