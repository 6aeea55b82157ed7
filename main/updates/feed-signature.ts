// The signature of an offered update: Ed25519 over the version and the SHA-512 of each of its
// files, in base64, as the field `signature` of the feed's file. electron-updater compares each
// downloaded file with that SHA-512, so the signature covers what is installed, on every system.
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export interface SignedOffer {
  readonly version: string;
  readonly files: readonly { readonly url: string; readonly sha512: string }[];
}

/** The bytes that are signed: a line for the version, and one for each file, in order. */
const listSigned = ({ version, files }: SignedOffer): Buffer =>
  Buffer.from(
    ['enrichment-desk update', version, ...files.map(({ url, sha512 }) => `${sha512} ${url}`)].join(
      '\n',
    ),
  );

/** A public key from its 32 bytes in base64; null for a text that is none. */
function readPublicKey(text: string): KeyObject | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32) return null;
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  });
}

/** The signature of an offer, in base64. */
export const signOffer = (offer: SignedOffer, key: KeyObject): string =>
  sign(null, listSigned(offer), key).toString('base64');

/** Whether an offer has the signature of a key. @param publicKey 32 bytes in base64 */
export function isSigned(offer: SignedOffer, signature: string, publicKey: string): boolean {
  const key = readPublicKey(publicKey);
  const bytes = Buffer.from(signature, 'base64');
  return key !== null && bytes.length === 64 && verify(null, listSigned(offer), key, bytes);
}
