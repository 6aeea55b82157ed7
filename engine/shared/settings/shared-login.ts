// The login of the shared directory: its password, and the secret of the keys, in one entry of the
// keychain (decision 067). Where no keychain responds, they are sealed by engine.key.
import { z } from 'zod';
import { EngineError } from '../../contract/errors.ts';
import {
  type KeepDeps,
  type KeptSecret,
  keepSecret,
  readKeptSecret,
} from '../../secrets/kept-secret.ts';

const LoginSchema = z.object({ password: z.string(), secret: z.string().nullable() });
export type SharedLoginSecrets = z.infer<typeof LoginSchema>;

const identityOf = (address: string): string => `shared_directory:${address}`;

const notStored =
  'The system keychain is locked or does not respond, so the password was not stored. ' +
  'Unlock the keychain, then try again.';
const lost =
  'The password of the shared directory cannot be read any more. Enter it again under ' +
  'Connections, Team directory.';
const locked = 'The system keychain is locked or does not respond. Unlock it, then try again.';

/** Throws `secrets_unavailable`. @param before the entry of the keychain that it replaces */
export const keepLogin = (
  deps: KeepDeps,
  address: string,
  login: SharedLoginSecrets,
  before: string | null,
): Promise<KeptSecret> =>
  keepSecret(deps, {
    name: 'login of the team directory',
    identity: identityOf(address),
    before,
    text: JSON.stringify(login),
    refusal: notStored,
  });

/** Reads the login of an address. Throws `secrets_unavailable`. */
export async function readLogin(
  deps: KeepDeps,
  kept: KeptSecret & { readonly address: string },
): Promise<SharedLoginSecrets> {
  const found = await readKeptSecret(deps, kept, identityOf(kept.address));
  if ('text' in found) return LoginSchema.parse(JSON.parse(found.text));
  const { problem, detail } = found;
  if (problem === 'missing') throw new EngineError('secrets_unavailable', lost);
  throw new EngineError('secrets_unavailable', detail === '' ? locked : detail);
}
