// A keychain in memory.
import { KeychainFailure } from '../../engine/secrets/keychain-client.ts';

/** Opens it. `problem` is how it fails. */
export function openMemoryKeychain() {
  const keychain = {
    entries: new Map<string, string>(),
    problem: null as KeychainFailure['reason'] | null,
    calls: 0,
  };
  const answer = <Value>(value: () => Value): Promise<Value> => {
    keychain.calls += 1;
    if (keychain.problem === null) return Promise.resolve(value());
    return Promise.reject(new KeychainFailure(keychain.problem, 'it fails'));
  };
  return Object.assign(keychain, {
    read: (name: string) => answer(() => keychain.entries.get(name) ?? null),
    write: (name: string, text: string) => answer(() => void keychain.entries.set(name, text)),
    delete: (name: string) => answer(() => void keychain.entries.delete(name)),
  });
}
