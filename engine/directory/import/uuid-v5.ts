// Ids of records: given UUIDs, or UUID version 5 of other ids (docs/rules.md, "The directory").
import { hash } from 'node:crypto';

const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
// The namespace, followed by space for names of usual length.
const scratch = Buffer.concat([urlNamespace], 1_024);
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The UUID version 5 of a name in the URL namespace (RFC 9562), lower case. */
export function uuidV5(name: string): string {
  const fits = urlNamespace.length + name.length * 3 <= scratch.length;
  const bytes = fits
    ? scratch.subarray(0, urlNamespace.length + scratch.write(name, urlNamespace.length))
    : Buffer.concat([urlNamespace, Buffer.from(name)]);
  const hex = hash('sha1', bytes, 'hex');
  // The two highest bits of the ninth byte are 10.
  const variant = ((Number.parseInt(hex[16] ?? '', 16) & 0x3) | 0x8).toString(16);
  const [low, middle, high] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16)];
  return `${low}-${middle}-5${high}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The id of a record with a given id: a UUID is kept, any other id is converted to one. */
export function recordUuid(kind: 'person' | 'company', givenId: string): string {
  return uuidShape.test(givenId) ? givenId.toLowerCase() : uuidV5(`desk:${kind}:${givenId}`);
}
