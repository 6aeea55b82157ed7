/**
 * The certificate authorities of the system, for networks that replace certificates by their own.
 * Reading them takes a third of a second, so they are read only after a certificate was refused.
 */
import { readFileSync } from 'node:fs';
import type { SecureContext } from 'node:tls';
import { loadTls } from './node-modules.ts';

/** The list that the context was made from, and the context. */
let made: { readonly usual: readonly string[]; readonly context: SecureContext } | null = null;

function readOrSkip(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** The usual authorities, those of the system, and those of DESK_EXTRA_CA_CERTS. */
function trustSystem(): SecureContext {
  const tls = loadTls();
  const usual = tls.getCACertificates('default');
  if (made?.usual === usual) return made.context;
  const system = readOrSkip(() => tls.getCACertificates('system'));
  // Electron removes Node's own variable, NODE_EXTRA_CA_CERTS, from the packed app.
  const path = process.env.DESK_EXTRA_CA_CERTS;
  const extra = readOrSkip(() => (path ? [readFileSync(path, 'utf8')] : []));
  const context = tls.createSecureContext({ ca: [...new Set([...usual, ...system, ...extra])] });
  made = { usual, context };
  return context;
}

/** The context of `trustSystem` if it was made; undefined for the usual authorities. */
const readTrusted = (): SecureContext | undefined =>
  made !== null && made.usual === loadTls().getCACertificates('default') ? made.context : undefined;

/**
 * Connects with the usual authorities, and once more with those of the system if the certificate is
 * of an unknown one. Nothing is sent before the certificate is checked.
 */
export async function connectTrusted<Value>(
  attempt: (secureContext: SecureContext | undefined) => Promise<Value>,
): Promise<Value> {
  const known = readTrusted();
  try {
    return await attempt(known);
  } catch (error) {
    if (known || !isUntrusted(error)) throw error;
    return attempt(trustSystem());
  }
}

const untrusted = /^(UNABLE_TO_(GET_ISSUER|VERIFY)|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/;

/** Whether an error, or its cause, is a certificate of an authority that is not trusted. */
function isUntrusted(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as NodeJS.ErrnoException;
  return untrusted.test(code ?? '') || (cause !== undefined && isUntrusted(cause));
}
