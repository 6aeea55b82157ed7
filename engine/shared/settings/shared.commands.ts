/** Commands about the shared directory, served by the writer. */
import type {
  SearchFirms,
  SearchPeople,
  WantedPeople,
} from '../../contract/records/record-search.ts';
import type { CompanyRecord, PersonRecord } from '../../contract/records/records.ts';
import type { FoundCompanies, FoundContacts, SearchValues } from '../../contract/search.ts';
import type { SharedDirectoryChange, SharedTest } from '../../contract/shared/settings.ts';
import type { ListedPerson } from '../../directory/read/read-people.ts';
import type { UnlockedKinds } from '../../directory/records/read-person-record.ts';

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
  /**
   * Searches people of the shared directory. Rejects with `unavailable` if it cannot be reached,
   * with `not_ready` if it cannot be searched yet, and with `validation_error` as a search of the
   * own directory, and if there is none.
   */
  searchTeam(search: SearchPeople): Promise<FoundContacts>;
  /** The same of companies. */
  searchTeamCompanies(search: SearchFirms): Promise<FoundCompanies>;
  /** Valid values of the filters of such a search. */
  readTeamValues(command: null): Promise<SearchValues>;
  /**
   * People of the shared directory by UUID, with the values that can be unlocked; none if it is
   * off. Unknown and suppressed people are missing. Rejects with `unavailable` if it cannot be
   * reached.
   */
  readTeamPeople(command: { readonly uuids: readonly string[] }): Promise<ListedPerson[]>;
  /**
   * The UUIDs of the first people that a search finds, up to a limit. Rejects like a search.
   */
  findTeamPeople(command: {
    readonly wanted: WantedPeople;
    readonly limit: number;
  }): Promise<string[]>;
  /**
   * A person of the shared directory with the sources of every value. Rejects with `not_found` for
   * a person who is unknown or suppressed, and like a search.
   * @param command.unlocked the values that the account has unlocked
   */
  readTeamRecord(command: {
    readonly uuid: string;
    readonly unlocked: UnlockedKinds;
  }): Promise<PersonRecord>;
  /** A company of the shared directory. Rejects likewise. */
  readTeamCompany(command: { readonly uuid: string }): Promise<CompanyRecord>;
}
