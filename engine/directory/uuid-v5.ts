/**
 * Ids from names: UUID version 5, and which given ids are UUIDs already (decisions.md, "The
 * directory").
 */
import { hash } from 'node:crypto';

const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The UUID version 5 of a name in the URL namespace (RFC 9562), lower case. */
export function uuidV5(name: string): string {
  const digest = hash('sha1', Buffer.concat([urlNamespace, Buffer.from(name)]), 'buffer');
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** The id of a record that came with an id of its own: a UUID is kept, any other becomes one. */
export function recordUuid(kind: 'person' | 'company', givenId: string): string {
  return uuidShape.test(givenId) ? givenId.toLowerCase() : uuidV5(`desk:${kind}:${givenId}`);
}
