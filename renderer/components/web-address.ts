// Addresses of pages on the web, as lists write them.

export function webAddress(value: string): string | null {
  const text = /^https?:\/\//i.test(value) ? value : `https://${value}`;
  if (!/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(text) || value.includes('@')) return null;
  return URL.canParse(text) ? text : null;
}

export const isAddressField = (name: string): boolean =>
  /url|website|profile|domain|linkedin/i.test(name);
