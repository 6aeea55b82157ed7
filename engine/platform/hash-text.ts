/**
 * A 52-bit hash of a text, never 0. Among a million texts, a collision has a probability of about
 * one in ten thousand.
 */
export function hashText(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high & 0xfffff) * 0x100000000 + (low >>> 0) || 1;
}
