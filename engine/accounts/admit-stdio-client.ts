/**
 * Admits an assistant on the local socket with its own key, so that caps, ledger and revocation
 * apply to it as to any client. The key itself is never shown.
 *
 *   unknown ──first time──> admitted ──key revoked──> refused
 *                              ^──a new key with its label──┘
 */
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { labelCharactersMax, stdioClientsMax } from '../contract/limits/accounts.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { getKey, type KeyRow, listKeys } from './api-key.table.ts';
import { createKey } from './api-keys.ts';
import { countStdioClients, findStdioKey, setStdioKey } from './stdio-client.table.ts';

/** The label of a client's key. */
const labelOf = (name: string): string => `stdio: ${name}`.slice(0, labelCharactersMax);

/** The newest active key with a label. */
const findByLabel = (
  database: WritableDatabase,
  accountId: number,
  label: string,
): KeyRow | undefined =>
  listKeys(database, accountId).findLast((key) => key.label === label && key.revokedAt === null);

function makeKey(
  database: WritableDatabase,
  environment: EnvironmentName,
  { accountId, name }: { accountId: number; name: string },
  now: Date,
): string {
  if (countStdioClients(database, accountId) >= stdioClientsMax)
    throw new EngineError(
      'forbidden',
      `${stdioClientsMax} assistants are already connected with "desk mcp", and "${name}" is ` +
        'not one of them. Revoke a key in Connections first.',
    );
  return createKey(database, environment, { accountId, label: labelOf(name) }, now).id;
}

/**
 * The id of a client's key. The key is created on the client's first connection. Throws `forbidden`
 * if the key has been revoked, or there are too many clients.
 * @param command name: the name that the client reports
 */
export const admitStdioClient = (
  database: WritableDatabase,
  environment: EnvironmentName,
  command: { accountId: number; name: string },
  now: Date,
): { keyId: string } =>
  inTransaction(database, () => {
    const { accountId, name } = command;
    const knownId = findStdioKey(database, accountId, name);
    const known = knownId === null ? null : getKey(database, accountId, knownId);
    if (known && known.revokedAt === null) return { keyId: known.id };
    const label = labelOf(name);
    const renewed = known && findByLabel(database, accountId, label);
    if (known && !renewed)
      throw new EngineError(
        'forbidden',
        `"${name}" was connected before, and its key "${known.label}" has been revoked. To ` +
          `connect it again, create a key with the label "${label}" in Connections.`,
      );
    const keyId = renewed?.id ?? makeKey(database, environment, command, now);
    setStdioKey(database, accountId, name, keyId);
    return { keyId };
  });
