/**
 * Redacts a response before it is stored: keeps its beginning, and removes the product's secrets
 * and signatures in any encoding, and anything that could be another secret.
 */
import { webhookExcerptCharactersMax } from '../contract/limits/webhooks.ts';
import { hideSecrets } from '../secrets/hide-secrets.ts';

const hiddenWord = '[hidden]';

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

/** Secrets and signatures without what is before their base64, and the same bytes as hex. */
function listForms(secret: string): string[] {
  const core = secret.replace(/^(whsec_|v1,)/, '');
  if (core === secret) return [core];
  const whole = secret.startsWith('whsec_') ? secret : core;
  return [whole, Buffer.from(core, 'base64').toString('hex')];
}

/**
 * The redacted beginning of a response, on one line.
 * @param secrets what must never be stored: secrets of the webhook, and signatures
 */
export function shortenAnswer(answer: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap(listForms);
  const line = answer.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return hideSecrets(line, forms, hiddenWord)
    .replace(shapes, hiddenWord)
    .replace(quoted, `$1${hiddenWord}`)
    .replace(bare, `$1${hiddenWord}`)
    .slice(0, webhookExcerptCharactersMax);
}
