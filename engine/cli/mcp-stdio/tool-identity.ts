// Finds the API key that an assistant acts by, once for each name that it gives itself.
import { keys } from '../../contract/keys.ts';
import type { EngineClient } from '../kit/engine-client.ts';

/** The name of a client that never gave one. */
const anonymous = 'unnamed client';

/** The header that names the key. A null name means the last one that was given. */
export type Identify = (name: string | null) => Promise<Record<string, string>>;

/** Creates the identities of one forwarder. They throw the engine's refusals. */
export function createIdentity(openEngine: () => Promise<EngineClient>): Identify {
  const keyIds = new Map<string, Promise<string>>();
  let lastName = anonymous;

  async function admit(name: string): Promise<string> {
    const engine = await openEngine();
    const { key_id: keyId } = await engine.ask(keys.admitStdioClient, {
      name,
    });
    return keyId;
  }

  return async (name) => {
    lastName = name ?? lastName;
    const requestedName = lastName;
    const found = keyIds.get(requestedName) ?? admit(requestedName);
    keyIds.set(requestedName, found);
    try {
      return { 'x-desk-client': await found };
    } catch (error) {
      keyIds.delete(requestedName);
      throw error;
    }
  };
}
