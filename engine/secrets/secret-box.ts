// Encrypts secrets with AES-256-GCM, bound to the row that they belong to: a secret that is copied
// to another row cannot be opened.
//
// A sealed secret is: 1 byte of format version, 8 of the key's id, 12 of nonce, 16 of tag, the
// ciphertext.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** A sealed secret that this key cannot open: it was sealed with another key, or changed. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable';
}

export interface SecretBox {
  /** The id of the key, in lower-case hex. It reveals nothing about the key. */
  readonly keyId: string;
  /** @param identity table and row, such as `webhook:<id>`; needed to open the secret */
  seal(secret: string, identity: string): Buffer;
  /** Throws SecretUnreadable. */
  open(sealed: Buffer, identity: string): string;
}

export const secretKeyBytes = 32;
const form = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes;

/** The id of the key that sealed a secret, in lower-case hex. */
export const readKeyId = (sealed: Buffer): string => sealed.toString('hex', 1, headBytes);

/** Creates a box with a key of 32 bytes. */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== secretKeyBytes) throw new Error(`a key has ${secretKeyBytes} bytes`);
  const id = createHash('sha256').update('enrichment-desk key id').update(key).digest();
  const head = Buffer.concat([Buffer.of(form), id.subarray(0, keyIdBytes)]);
  const aadOf = (identity: string) => Buffer.concat([head, Buffer.from(identity)]);
  return {
    keyId: readKeyId(head),
    seal(secret, identity) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aadOf(identity));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, identity) {
      const isOurs = sealed.subarray(0, headBytes).equals(head);
      if (!isOurs || sealed.length < headBytes + nonceBytes + tagBytes)
        throw new SecretUnreadable('sealed with another key');
      const [tagAt, textAt] = [headBytes + nonceBytes, headBytes + nonceBytes + tagBytes];
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(headBytes, tagAt), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(aadOf(identity)).setAuthTag(sealed.subarray(tagAt, textAt));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]).toString(
          'utf8',
        );
      } catch (cause) {
        throw new SecretUnreadable('changed, or of another row', { cause });
      }
    },
  };
}
