// Secrets and signatures of webhooks (docs/webhooks.md, "Request"; Standard Webhooks 1.0).
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new secret: `whsec_` and base64 of 32 random bytes. */
export const makeSecret = (): string => prefix + randomBytes(secretBytes).toString('base64');

interface SignedDelivery {
  /** The same on every attempt. */
  readonly eventId: string;
  /** The exact text that is sent. */
  readonly body: string;
  /** When it is sent, in whole seconds since 1970. */
  readonly atSeconds: number;
  /** The current secret, followed by the previous one until it expires. */
  readonly secrets: readonly [current: string, ...former: string[]];
}

export function signDelivery({ eventId, body, atSeconds, secrets }: SignedDelivery) {
  const signed = `${eventId}.${atSeconds}.${body}`;
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'x-service-signature': createHmac('sha256', secrets[0]).update(body).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': standard.join(' '),
  };
}
