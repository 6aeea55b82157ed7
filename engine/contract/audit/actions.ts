// The actions that the audit log records.

export const auditActions = {
  result_exported: 'Result exported',
  findings_exported: 'Findings exported',
  pipeline_exported: 'Emails and phones exported',
  audit_exported: 'Audit log exported',
  wallet_exported: 'Wallet exported',
  person_exported: "A person's data exported",
  person_deleted: 'Person deleted',
  values_unlocked: 'Emails and phones shown',
  job_started: 'Job started',
  job_retried: 'Job retried',
  job_deleted: 'Job deleted',
  job_restored: 'Deletion of a job undone',
  pipeline_started: 'Emails and phones requested',
  validation_started: 'Email validation started',
  monitor_job_started: 'Monitor run started',
  findings_paid: 'Findings paid',
  review_decided: 'Review decided',
  approval_allowed: 'Approval allowed',
  approval_denied: 'Approval denied',
  suppression_added: 'Suppressed',
  suppression_removed: 'Suppression lifted',
  import_undone: 'Directory import undone',
  monitor_removed: 'Monitor removed',
  duplicates_merged: 'Duplicates merged',
  duplicates_merge_undone: 'Merge of duplicates undone',
  session_opened: 'Browser opened',
  session_closed: 'Browser closed',
  account_created: 'Account created',
  account_changed: 'Account changed',
  credits_granted: 'Credits granted',
  rate_changed: 'Rate changed',
  key_created: 'API key created',
  key_changed: 'API key changed',
  key_revoked: 'API key revoked',
  login_set: 'Login set',
  login_removed: 'Login removed',
  identity_provider_set: 'Identity provider set',
  identity_provider_removed: 'Identity provider removed',
  provider_key_set: 'Key of a data service set',
  provider_changed: 'Data service changed',
  provider_order_changed: 'Order of data services changed',
  provider_defined: 'Definition of a data service imported',
  provider_removed: 'Data service removed',
  provider_answers_deleted: 'Answers of a data service deleted',
  provider_request_decided: 'Unknown outcome decided',
  shared_directory_set: 'Team directory set',
  shared_directory_removed: 'Team directory removed',
  retention_changed: 'Retention changed',
  retention_run: 'Old data deleted',
  backup_made: 'Backup made',
  backup_restored: 'Backup restored',
} as const;

export type AuditAction = keyof typeof auditActions;

export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

/** The words of an action; its code if this version does not know it. */
export const nameAction = (action: string): string =>
  Object.hasOwn(auditActions, action) ? auditActions[action as AuditAction] : action;
