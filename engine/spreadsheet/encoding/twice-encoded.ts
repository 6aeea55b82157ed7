// Repairs UTF-8 that was read as Windows-1252 or Latin-1 before it was saved: "JÃ¼rgen".
import { isUtf8 } from 'node:buffer';
import { hasKnownLetters } from './judge-text.ts';

const highBytes = Uint8Array.from({ length: 128 }, (_, at) => at + 128);
/** Character → its byte in Windows-1252. */
const byteOf: ReadonlyMap<string, number> = new Map(
  [...new TextDecoder('windows-1252').decode(highBytes)].map((letter, at) => [letter, at + 128]),
);

// A first byte of UTF-8, read as a letter, with a continuation behind it.
const mayBeTwice = /[Â-ô][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œŽžŸ]/;

/** The text before it was encoded twice; the text itself if it was not. */
export function repairTwice(text: string): string {
  if (!mayBeTwice.test(text)) return text;
  const bytes: number[] = [];
  for (const letter of text) {
    const byte = letter <= '\xff' ? letter.charCodeAt(0) : byteOf.get(letter);
    if (byte === undefined) return text;
    bytes.push(byte);
  }
  const buffer = Buffer.from(bytes);
  return isUtf8(buffer) ? buffer.toString('utf8') : text;
}

const repairedMin = 2;
const repairedShare = 0.6;

/** A word that was encoded twice, and the word itself, if most with foreign letters were. */
export function findTwice(text: string): { wrong: string; right: string } | null {
  const found = text.match(/(?<![^\t\r\n ,;|"<>])[^\t\r\n ,;|"<>]*[^\t\r\n -~][^\t\r\n ,;|"<>]*/g);
  const words = [...new Set(found ?? [])];
  const repaired = words.flatMap((wrong) => {
    const right = repairTwice(wrong);
    return right !== wrong && hasKnownLetters(right) ? [{ wrong, right }] : [];
  });
  const isMost = repaired.length >= Math.max(repairedMin, words.length * repairedShare);
  return isMost ? (repaired[0] ?? null) : null;
}
