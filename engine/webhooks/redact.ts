/**
 * What is kept of a receiver's answer: its beginning, without our secrets and signatures however
 * they are written there, and without what looks like anybody else's.
 */
import { webhookExcerptCharactersMax } from '../contract/limits/webhooks.ts';

const hiddenWord = '[hidden]';
/** So much of a secret at the end of an answer that was cut off is taken for one. */
const cutCharactersMin = 8;

/** Keys of the desk and of webhooks, whosever they are. */
const shapes = /\b(?:whsec|sk_live|sk_test)_[\w+/=-]+/g;
const name =
  '(?:secret|passw(?:or)?d|token|api[-_]?key|authorization|cookie|credential)[\\w-]{0,40}' +
  '\\\\?["\']? ?(?:[:=]|=>) ?';
const quoted = new RegExp(`(${name}\\\\?(["']))(?:(?!\\\\?\\2).)*`, 'gi');
// A bare value must look like a secret: "token: expired" is what a person wants to read.
const bare = new RegExp(
  `(${name})(?:(?:bearer|basic|token) )?(?=[^ ,;&<}"']*\\d)[^ ,;&<}"']{6,}`,
  'gi',
);

/** The texts that a secret or a signature is known by: its base64, and the same bytes as hex. */
function listForms(secret: string): string[] {
  const core = secret.replace(/^(whsec_|v1,)/, '').replace(/=+$/, '');
  if (core === secret) return [core];
  return [core, Buffer.from(core, 'base64').toString('hex')];
}

/** A character as plain text, JSON, URLs and HTML write it, and base64 that is made for URLs. */
function writePattern(char: string): string {
  if (/[A-Za-z0-9]/.test(char)) return char;
  const code = char.charCodeAt(0);
  const hex = code.toString(16);
  const safe = { '+': '|-', '/': '|_' }[char] ?? '';
  return `(?:\\\\{0,4}\\${char}|%${hex}|\\\\{1,4}u00${hex}|&#(?:${code}|x${hex});${safe})`;
}

/** The text without the last piece of a secret whose rest was cut off. */
function hideCutEnd(text: string, forms: readonly string[]): string {
  for (const form of forms)
    for (let length = form.length - 1; length >= cutCharactersMin; length -= 1)
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + hiddenWord;
  return text;
}

/**
 * The beginning of an answer as it may be kept, in one line.
 * @param secrets what must never be written down: secrets of the webhook, and signatures
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
