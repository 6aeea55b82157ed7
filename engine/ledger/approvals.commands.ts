/** The commands about approvals to the writer thread. */
import type { ApprovalChannel } from './approval.table.ts';

/** How a request asks for approval if its key may not spend the amount without it. */
export interface Asking {
  /** The route or tool, as shown to the person. */
  readonly operation: string;
  /** JSON of the request, shortened, for the person. */
  readonly arguments: string;
  /** Null if the request has none. */
  readonly idempotencyKey: string | null;
  readonly askedIn: ApprovalChannel;
  /**
   * The approval requests that other calls wait for. Null if the call ends with its approval
   * request and is sent again: the repeat finds the approval, or the denial, by its content.
   */
  readonly taken: readonly string[] | null;
}

/** The account that a request charges, and how it asks for approval. */
export interface Spending {
  readonly accountId: number;
  /** The API key of the request, whose limits apply; null for the app and the command line. */
  readonly keyId: string | null;
  /** If omitted or null, spending that needs approval is refused. */
  readonly asking?: Asking | null | undefined;
}

/** Calls about approvals to the writer thread. */
export interface ApprovalCalls {
  /**
   * Answers a request for approval. False if it is not pending, belongs to another account, or the
   * client may not answer it.
   * @param command by: who sends the person's answer
   */
  answerApproval(command: {
    accountId: number;
    id: string;
    isAllowed: boolean;
    by: ApprovalChannel;
  }): Promise<boolean>;
}
