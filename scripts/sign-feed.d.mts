import type { KeyObject } from 'node:crypto';

/** The text of a feed with the signature of a key, which replaces an earlier one. */
export function signFeed(text: string, privateKey: KeyObject): string;
/** The public key as DESK_UPDATE_KEY and team configurations have it: 32 bytes in base64. */
export function showPublicKey(key: KeyObject): string;
