/** By which key an assistant acts: asked of the engine once for each name. */
import { AdmittedClientSchema } from '../../contract/accounts.ts';
import type { EngineClient } from '../kit/engine-client.ts';

/** What a client is called that never said its name. */
const anonymous = 'unnamed client';

/** The header that says who it is; null stands for whoever spoke last. */
export type Identify = (name: string | null) => Promise<Record<string, string>>;

/** Makes the identities of one forwarder. They throw what the engine refuses. */
export function createIdentity(openEngine: () => Promise<EngineClient>): Identify {
  const keyIds = new Map<string, Promise<string>>();
  let lastName = anonymous;

  async function admit(name: string): Promise<string> {
    const engine = await openEngine();
    const { key_id: keyId } = await engine.request(AdmittedClientSchema, 'POST', 'stdio-clients', {
      name,
    });
    return keyId;
  }

  return async (name) => {
    lastName = name ?? lastName;
    const asked = lastName;
    const found = keyIds.get(asked) ?? admit(asked);
    keyIds.set(asked, found);
    try {
      return { 'x-desk-client': await found };
    } catch (error) {
      keyIds.delete(asked);
      throw error;
    }
  };
}
