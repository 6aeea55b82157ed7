// Removes secrets from a text of a peer, such as a data service or a webhook's receiver. Call it
// before the text is shortened: a secret that is cut off is found only by the part that is left.

/** This many consecutive characters of a secret are taken for the secret. */
const partCharactersMin = 8;

/** A character as it is written in JSON, URLs and HTML, or as it is. */
const written = /\\+u00([0-9a-f]{2})|%([0-9a-f]{2})|&#(?:(\d\d\d?)|x([0-9a-f]{2}));|\\+|[\s\S]/gi;

interface Compared {
  /** In lower case, without escapes, and with the letters of usual base64. */
  readonly units: string;
  /** Where each unit is in the text, and where the last one ends. */
  readonly places: readonly number[];
}

function readCompared(text: string): Compared {
  const places: number[] = [];
  let units = '';
  for (const { 0: found, 1: json, 2: url, 3: decimal, 4: html, index } of text.matchAll(written)) {
    const hex = json ?? url ?? html;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const char = Number.isNaN(code) ? found : String.fromCharCode(code);
    // A backslash alone escapes what follows it.
    if (char.startsWith('\\')) continue;
    const lower = char.toLowerCase();
    const folded = lower.length === 1 ? lower : char;
    units += { '-': '+', _: '/' }[folded] ?? folded;
    places.push(index);
  }
  places.push(text.length);
  return { units, places };
}

/**
 * The forms of a secret: as it is, as hexadecimal, and the base64 of a text that has it. In base64,
 * three bytes are four characters, so it depends on what is before the secret.
 */
function listForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [0, 1, 2].map((before) => {
    const base64 = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const isCut = (before + bytes.length) % 3 !== 0;
    // The first and the last characters also depend on the bytes around the secret.
    return base64.replace(/=+$/, '').slice(before === 0 ? 0 : before + 1, isCut ? -1 : undefined);
  });
  const long = [bytes.toString('hex'), ...encoded].filter(
    (form) => form.length >= partCharactersMin,
  );
  return [secret, ...long];
}

function markParts(units: string, form: string, marks: Uint8Array): void {
  const wanted = readCompared(form).units;
  const length = Math.min(partCharactersMin, wanted.length);
  if (length === 0) return;
  const parts = new Set<string>();
  for (let at = 0; at + length <= wanted.length; at += 1) parts.add(wanted.slice(at, at + length));
  for (let at = 0; at + length <= units.length; at += 1)
    if (parts.has(units.slice(at, at + length))) marks.fill(1, at, at + length);
}

/** The text with `mark` for each secret and each part of one, in any usual encoding. */
export function hideSecrets(text: string, secrets: readonly string[], mark: string): string {
  const { units, places } = readCompared(text);
  const marks = new Uint8Array(units.length);
  for (const form of secrets.flatMap(listForms)) markParts(units, form, marks);
  let shown = '';
  let from = 0;
  for (let at = marks.indexOf(1); at >= 0; ) {
    let end = at;
    while (marks[end] === 1) end += 1;
    shown += text.slice(from, places[at]) + mark;
    from = places[end] ?? text.length;
    at = marks.indexOf(1, end);
  }
  return shown + text.slice(from);
}
