/** Every command that the writer thread of an environment executes. */

import type { IdentityCalls } from '../accounts/identity-providers.commands.ts';
import type { KeyLimitChange } from '../accounts/key-limit-change.ts';
import type { ListFolderCalls } from '../assistants/list-folders.commands.ts';
import type { ToolCallRow } from '../assistants/tool-call.table.ts';
import type { Account, Key } from '../contract/accounts.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { SubmitData } from '../contract/jobs/job.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { SubmitAnswer, SubmitCommand } from '../jobs/jobs.commands.ts';
import type { ApprovalCalls, Spending } from '../ledger/approvals.commands.ts';
import type {
  UnlockCommand,
  UnlockOnceCommand,
  UnlockOnceReport,
  UnlockReport,
} from '../ledger/unlock.commands.ts';
import type { MonitorCalls } from '../monitors/monitors.commands.ts';
import type { OauthCalls } from '../oauth/oauth.commands.ts';
import type { PipelineCalls } from '../pipelines/pipelines.commands.ts';
import type { ValidateAnswer, ValidateCommand } from '../validations/validations.commands.ts';
import type { WebhookCalls } from '../webhooks/webhooks.commands.ts';

/**
 * Commands to the writer thread, the only writer of engine.db. Each may refuse with an EngineError.
 */
export interface WriterCalls
  extends ApprovalCalls,
    IdentityCalls,
    ListFolderCalls,
    MonitorCalls,
    OauthCalls,
    PipelineCalls,
    WebhookCalls {
  submitJob(command: SubmitCommand): Promise<SubmitAnswer>;
  cancelJob(command: {
    accountId: number;
    jobId: string;
  }): Promise<{ job_id: string; status: 'cancelled'; credits_released: string }>;
  retryJob(command: Spending & { jobId: string }): Promise<SubmitData>;
  createAccount(command: { name: string }): Promise<Account>;
  changeAccount(command: {
    accountUuid: string;
    name?: string | undefined;
    chargePolicy?: 'row' | 'layers_found' | undefined;
    matchThreshold?: number | undefined;
  }): Promise<Account>;
  createKey(
    command: { accountId: number; label: string } & KeyLimitChange,
  ): Promise<{ id: string; key: string; label: string }>;
  changeKey(
    command: { accountId: number; id: string; label?: string | undefined } & KeyLimitChange,
  ): Promise<Key>;
  revokeKey(command: { accountId: number; id: string }): Promise<Key>;
  /** The key by which an assistant on the local socket acts. Throws `forbidden`. */
  admitStdioClient(command: { accountId: number; name: string }): Promise<{ keyId: string }>;
  /** Fire and forget: kept at most once a minute per key. */
  touchKey(command: { id: string }): Promise<void>;
  grant(command: { accountId: number; units: CreditUnits; reference: string }): Promise<void>;
  setRate(command: {
    accountId: number;
    code: LayerCode | 'email_validation';
    priceUnits?: CreditUnits | undefined;
    active?: boolean | undefined;
  }): Promise<void>;
  /** Charges what the account does not own yet, and makes it owned. */
  unlock(command: UnlockCommand): Promise<UnlockReport>;
  /** The same under an idempotency key. Throws `idempotency_conflict`. */
  unlockOnce(command: UnlockOnceCommand): Promise<UnlockOnceReport>;
  /** Notes a call of a tool. Fire and forget. */
  noteToolCall(command: ToolCallRow): Promise<void>;
  /** Holds the price of a list of addresses and starts to validate them. */
  validateEmails(command: ValidateCommand): Promise<ValidateAnswer>;
  /** A consistent copy of engine.db at `path`. */
  copyStore(command: { path: string }): Promise<void>;
}
