/** Commands about the shared directory, served by the writer. */
import type { SharedDirectoryChange, SharedTest } from '../../contract/shared/settings.ts';

/** Commands of the shared directory. */
export interface SharedCalls {
  /**
   * Stores the address, its password, and the secret of the keys. Rejects with `validation_error`
   * for an address that is not allowed or has no password, and for a worker without a secret, and
   * with `secrets_unavailable`.
   */
  changeSharedDirectory(command: SharedDirectoryChange): Promise<void>;
  /** Forgets the address and the password. */
  removeSharedDirectory(command: null): Promise<void>;
  /** Connects, and reads the state. Never rejects because of the server. Null without a setting. */
  testSharedDirectory(command: null): Promise<SharedTest | null>;
}
