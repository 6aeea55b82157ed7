// All commands of an environment's writer thread.
import type { AccountCalls } from '../accounts/create-account-commands.ts';
import type { IdentityCalls } from '../accounts/identity-providers.ts';
import type { AssistantCalls } from '../assistants/create-assistant-commands.ts';
import type { ListFolderCalls } from '../assistants/list-folders.ts';
import type { AuditCalls } from '../audit/create-audit-commands.ts';
import type { JobCalls } from '../jobs/create-job-commands.ts';
import type { MatchPool } from '../jobs/matching/match-pool.ts';
import type { TemplateCommands } from '../jobs/templates/templates.ts';
import type { UnlockCalls } from '../ledger/create-unlock-commands.ts';
import type { StoreCopyCalls } from '../maintenance/backup.ts';
import type { MonitorCalls } from '../monitors/create-monitor-commands.ts';
import type { OauthCalls } from '../oauth/create-oauth-commands.ts';
import type { PersonDataCalls } from '../person-data/change-person-data.ts';
import type { PipelineCalls } from '../pipelines/start-pipeline.ts';
import type { ProviderCalls } from '../providers/installed/change-providers.ts';
import type { RetentionCalls } from '../retention/change-retention.ts';
import type { SessionCalls } from '../sessions/create-session-commands.ts';
import type { SharedCalls } from '../shared/settings/team-directory.ts';
import type { SuppressionCalls } from '../suppression/change-suppressions.ts';
import type { ValidationCalls } from '../validations/validate-emails.ts';
import type { WebhookCommands } from '../webhooks/webhooks.ts';

/** Calls of the only writer of engine.db. Each may reject with an EngineError. */
export interface WriterCalls
  extends AccountCalls,
    AuditCalls,
    IdentityCalls,
    JobCalls,
    UnlockCalls,
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
    AssistantCalls,
    ValidationCalls,
    WebhookCommands,
    Pick<MatchPool, 'matchNow'> {
  /** Makes what was paid for and decided about merged people hold for their survivors. */
  followMerges(command: null): Promise<void>;
}
