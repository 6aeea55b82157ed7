/** The registered part of host names. */

/** The part of a host that someone has registered: "mail.example.co.uk" is example.co.uk. */
export function baseDomain(name: string): string {
  const parts = name.toLowerCase().split('.').filter(Boolean);
  if (parts.length <= 2) return parts.join('.');
  const [second, top] = parts.slice(-2) as [string, string];
  const isShared = top.length === 2 && (second.length <= 3 || /^(?:state|k12)$/.test(second));
  return parts.slice(isShared ? -3 : -2).join('.');
}
