/** The commands about what a person is asked to allow, to the writer thread. */
import type { AskedIn } from './approval.table.ts';

/** How a request asks a person where its key may not spend so much unasked. */
export interface Asking {
  /** The route or the tool, as the person is shown it. */
  readonly operation: string;
  /** JSON of what was sent, shortened, for the person. */
  readonly arguments: string;
  /** Null where the request has none. */
  readonly idempotencyKey: string | null;
  readonly askedIn: AskedIn;
  /**
   * The questions that other calls wait for. Null where the request ends with its question and is
   * sent again: it finds its question, or the denial, by what it asks for.
   */
  readonly taken: readonly string[] | null;
}

/** Whose credits a request spends, and how it asks. */
export interface Spending {
  readonly accountId: number;
  /** The API key that asks, whose limits count; null for the app and the command line. */
  readonly keyId: string | null;
  /** Left out or null: what needs a yes is refused. */
  readonly asking?: Asking | null | undefined;
}

/** What approvals ask of the writer thread. */
export interface ApprovalCalls {
  /**
   * Answers a question. False where it waits no more, belongs to somebody else, or a client may not
   * answer it.
   * @param command by: who brings the person's answer
   */
  answerApproval(command: {
    accountId: number;
    id: string;
    isAllowed: boolean;
    by: AskedIn;
  }): Promise<boolean>;
}
