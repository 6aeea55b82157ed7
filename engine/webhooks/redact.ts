/**
 * Redacts a response before it is stored: keeps its beginning, and removes the product's secrets
 * and signatures in any encoding, and anything that could be another secret.
 */
import { webhookExcerptCharactersMax } from '../contract/limits/webhooks.ts';

const hiddenWord = '[hidden]';
/** This many characters of a secret at the end of a truncated response are taken for the secret. */
const cutCharactersMin = 8;

/** API keys and webhook secrets of any installation. */
const shapes = /\b(?:whsec|sk_live|sk_test)_[\w+/=-]+/g;
const name =
  '(?:secret|passw(?:or)?d|token|api[-_]?key|authorization|cookie|credential)[\\w-]{0,40}' +
  '\\\\?["\']? ?(?:[:=]|=>) ?';
const quoted = new RegExp(`(${name}\\\\?(["']))(?:(?!\\\\?\\2).)*`, 'gi');
// A bare value must look like a secret, so that "token: expired" is kept.
const bare = new RegExp(
  `(${name})(?:(?:bearer|basic|token) )?(?=[^ ,;&<}"']*\\d)[^ ,;&<}"']{6,}`,
  'gi',
);

/** Encodings of a secret or signature: its base64, and the same bytes as hex. */
function listForms(secret: string): string[] {
  const core = secret.replace(/^(whsec_|v1,)/, '').replace(/=+$/, '');
  if (core === secret) return [core];
  return [core, Buffer.from(core, 'base64').toString('hex')];
}

/** A pattern for a character in plain text, JSON, URLs, HTML and URL-safe base64. */
function writePattern(char: string): string {
  if (/[A-Za-z0-9]/.test(char)) return char;
  const code = char.charCodeAt(0);
  const hex = code.toString(16);
  const safe = { '+': '|-', '/': '|_' }[char] ?? '';
  return `(?:\\\\{0,4}\\${char}|%${hex}|\\\\{1,4}u00${hex}|&#(?:${code}|x${hex});${safe})`;
}

/** Removes the truncated start of a secret at the end of the text. */
function hideCutEnd(text: string, forms: readonly string[]): string {
  for (const form of forms)
    for (let length = form.length - 1; length >= cutCharactersMin; length -= 1)
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + hiddenWord;
  return text;
}

/**
 * The redacted beginning of a response, on one line.
 * @param secrets what must never be stored: secrets of the webhook, and signatures
 */
export function shortenAnswer(answer: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap(listForms);
  const line = answer.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const known = forms.reduce((text, form) => {
    const core = [...form].map(writePattern).join('');
    const pattern = new RegExp(`(?:whsec_)?${core}${writePattern('=')}?`, 'gi');
    return text.replace(pattern, hiddenWord);
  }, line);
  return hideCutEnd(known, forms)
    .replace(shapes, hiddenWord)
    .replace(quoted, `$1${hiddenWord}`)
    .replace(bare, `$1${hiddenWord}`)
    .slice(0, webhookExcerptCharactersMax);
}
