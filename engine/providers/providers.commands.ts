/** Commands about the user's providers, served by the writer. */
import type { z } from 'zod';
import type { Candidate, MatchField, MatchReason } from '../contract/jobs/job.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ProviderField, ProviderRow } from '../contract/provider.ts';
import type {
  DefinitionImportSchema,
  NewProviderKey,
  ProviderChange,
  ProviderOrder,
  ProviderQuote,
  ProviderTest,
  RequestDecision,
  UserProviders,
} from '../contract/providers.ts';
import type { AnsweredContact } from './waterfall/describe-contact.ts';
import type { OpenShares } from './waterfall/quote-providers.ts';

/** A contact to ask about. */
export interface ContactRequest {
  readonly row: ProviderRow;
  readonly wanted: readonly ProviderField[];
  /** The most that it may spend at each provider, in its credits; null for no limit. */
  readonly providerCap: number | null;
  /** The least confidence of a match in the team's directory, 0 to 1. */
  readonly threshold?: number | undefined;
}

/** What is known of a contact behind the own directory. */
export type ContactAnswer =
  | {
      readonly kind: 'found';
      readonly contact: AnsweredContact;
      /** What the team's directory matched on; none for an answer of a provider. */
      readonly matchedOn: readonly MatchField[];
    }
  | { readonly kind: 'unknown' }
  /** The team's directory knows several such people and names none; no provider is asked. */
  | {
      readonly kind: 'withheld';
      readonly reason: Exclude<MatchReason, '' | 'no_match'>;
      readonly candidates: readonly Candidate[];
    };

export interface ProviderCalls {
  /**
   * Asks the team's directory and then the providers about a contact that is not in the own one.
   * Rejects with `unavailable` if the team's directory does not answer, `upstream_error` and
   * `upstream_insufficient_credits`.
   */
  askProviders(command: ContactRequest): Promise<ContactAnswer>;
  /** What providers may cost. */
  quoteProviders(command: {
    readonly codes: readonly LayerCode[];
    readonly rows: number;
    readonly openShares: OpenShares;
  }): Promise<ProviderQuote>;
  describeProviders(command: null): Promise<UserProviders>;
  /**
   * Stores a key, and adds the provider, off, at the end of the order of its fields. Rejects with
   * `not_found`, `validation_error` for a faulty definition, and `secrets_unavailable`. A provider
   * that is another engine is asked for its prices; `validation_error` if it does not answer.
   */
  setProviderKey(command: NewProviderKey & { id: string }): Promise<void>;
  /** Rejects with `not_found`, and with `validation_error` if it has no key to be switched on. */
  changeProvider(command: { id: string; change: ProviderChange }): Promise<void>;
  /** Rejects with `validation_error` for a provider that has no key or not the field. */
  orderProviders(command: ProviderOrder): Promise<void>;
  /**
   * Removes the key, the settings and an own definition file. What it answered and what it cost
   * stays. Rejects with `not_found`, and with `validation_error` for a built-in provider.
   */
  removeProvider(command: { id: string }): Promise<void>;
  /** Stores a definition file of the user's own, or returns what is wrong with it. */
  importDefinition(command: { text: string }): Promise<z.infer<typeof DefinitionImportSchema>>;
  /** Sends requests that are free, with the stored key. Rejects with `not_found`. */
  testProvider(command: { id: string }): Promise<ProviderTest>;
  /**
   * Stores a person's decision about a request with an unknown outcome. Rejects with `not_found`,
   * and `validation_error` if its outcome is known.
   * @param author the label of the API key; "app" for the app itself
   */
  decideRequest(command: { id: number; decision: RequestDecision; author: string }): Promise<void>;
  /** Deletes the stored answers of a provider, but not what is uncertain. */
  forgetAnswers(command: { id: string }): Promise<{ deleted: number }>;
}
