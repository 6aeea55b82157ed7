/** All commands of an environment's writer thread. */
import type { AccountCalls } from '../accounts/accounts.commands.ts';
import type { IdentityCalls } from '../accounts/identity-providers.commands.ts';
import type { ListFolderCalls } from '../assistants/list-folders.commands.ts';
import type { ToolLogCalls } from '../assistants/tool-calls.commands.ts';
import type { AuditCalls } from '../audit/audit.commands.ts';
import type { MergeFollowerCalls } from '../directory/duplicates/duplicates.commands.ts';
import type { JobCalls } from '../jobs/jobs.commands.ts';
import type { TemplateCommands } from '../jobs/templates/templates.ts';
import type { ApprovalCalls } from '../ledger/approvals.commands.ts';
import type { LedgerCalls } from '../ledger/unlock.commands.ts';
import type { StoreCopyCalls } from '../maintenance/maintenance.commands.ts';
import type { MonitorCalls } from '../monitors/monitors.commands.ts';
import type { OauthCalls } from '../oauth/oauth.commands.ts';
import type { PersonDataCalls } from '../person-data/person-data.commands.ts';
import type { PipelineCalls } from '../pipelines/pipelines.commands.ts';
import type { ProviderCalls } from '../providers/providers.commands.ts';
import type { RetentionCalls } from '../retention/retention.commands.ts';
import type { SessionCalls } from '../sessions/sessions.commands.ts';
import type { SharedCalls } from '../shared/settings/shared.commands.ts';
import type { SuppressionCalls } from '../suppression/suppression.commands.ts';
import type { ValidationCalls } from '../validations/validations.commands.ts';
import type { WebhookCommands } from '../webhooks/webhooks.ts';

/**
 * Commands to the writer thread, the only writer of engine.db. Each may reject with an EngineError.
 */
export interface WriterCalls
  extends AccountCalls,
    ApprovalCalls,
    AuditCalls,
    IdentityCalls,
    JobCalls,
    LedgerCalls,
    MergeFollowerCalls,
    ListFolderCalls,
    MonitorCalls,
    OauthCalls,
    PersonDataCalls,
    PipelineCalls,
    ProviderCalls,
    RetentionCalls,
    SessionCalls,
    SharedCalls,
    StoreCopyCalls,
    SuppressionCalls,
    TemplateCommands,
    ToolLogCalls,
    ValidationCalls,
    WebhookCommands {}
