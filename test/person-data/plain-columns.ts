/**
 * The columns of text that have no values of people: codes, ids, days, hashes and settings. A new
 * column must be declared here or in engine/person-data/places.ts.
 */

type Columns = Readonly<Record<string, readonly string[]>>;

/** Columns of engine.db without values of people. */
export const plainStoreColumns: Columns = {
  account: ['uuid', 'charge_policy', 'monitor_charge', 'created_at'],
  browser_session: ['id', 'hash', 'browser', 'opened_at', 'last_used_at'],
  api_key: ['id', 'prefix', 'hash', 'created_at', 'last_used_at', 'revoked_at'],
  stdio_client: ['key_id'],
  login: ['password_hash', 'set_at'],
  identity_provider: ['issuer', 'client_id', 'client_secret', 'set_at'],
  rate: ['code'],
  // A hold is for a job, a pipeline or a validation.
  ledger_hold: ['subject_kind', 'subject_id', 'at', 'key_id'],
  ledger_resolution: ['at'],
  ledger_entry: ['kind', 'from_ledger', 'to_ledger', 'subject_kind', 'at', 'key_id'],
  // A line is for a job, a pipeline, a validation or a monitor's job; a lookup has no work_id.
  ledger_line: ['kind', 'work_id', 'key_id', 'at'],
  ledger_spend: ['day', 'client', 'part'],
  layer_charge: ['layer'],
  key_spending: ['key_id', 'day'],
  owned: ['kind', 'at'],
  approval: [
    ...['id', 'key_id', 'request', 'operation', 'asked_in', 'status', 'asked_at', 'answered_at'],
    ...['used_at', 'expires_at'],
  ],
  idempotency: ['key_scope', 'fingerprint', 'job_uuid', 'at'],
  job: [
    ...['kind', 'uuid', 'status', 'codes', 'prices', 'charge_policy', 'mapping', 'error'],
    ...['retry_of', 'new_since', 'via', 'created_at', 'started_at', 'completed_at', 'deleted_at'],
    ...['waiting_since', 'when_offline', 'removed_at'],
  ],
  job_batch: ['at', 'parts', 'facts'],
  review_pick: ['key_id', 'at'],
  review_key: ['key'],
  review_recall: ['decided_at'],
  provider_setting: ['provider', 'currency'],
  provider_key: ['provider', 'entry', 'sealed', 'hosts', 'set_at'],
  unused_keychain_entry: ['entry'],
  shared_directory: ['address', 'sealed', 'set_at', 'entry'],
  provider_step: ['field', 'provider', 'rule'],
  // `rows` has a value only while a request is open, and then a deletion is refused.
  provider_request: [
    ...['uuid', 'provider', 'state', 'fields', 'rows', 'ticket', 'failure', 'created_at'],
    ...['sent_at', 'ended_at', 'decided_at'],
  ],
  provider_decision: ['outcome', 'decided_at'],
  provider_balance: ['provider', 'at'],
  provider_request_field: ['field'],
  provider_answer: ['field', 'provider', 'outcome', 'observed_on', 'fetched_at', 'kept_until'],
  provider_tally: ['provider', 'field'],
  provider_note: ['provider', 'failure', 'at'],
  suppression: ['kind', 'source', 'author', 'at', 'job_uuid'],
  person_deletion: [
    // Only while a deletion runs.
    'subject',
    ...['uuid', 'state', 'subject_hashes', 'places', 'author', 'source', 'requested_at'],
    'completed_at',
  ],
  person_deletion_key: ['key'],
  audit_entry: ['at', 'environment', 'actor_kind', 'key_prefix', 'account', 'action', 'hash'],
  audit_key: ['key'],
  retention_setting: ['kind'],
  retention_run: ['state', 'due_at', 'started_at', 'ended_at', 'deleted'],
  trusted_clock: ['at'],
  backup_file: ['made_at'],
  email_validation: [
    ...['uuid', 'status', 'counts', 'created_at', 'started_at', 'completed_at', 'deleted_at'],
  ],
  email_verdict: ['reason'],
  // What name servers say about a domain, for a while.
  mail_domain: ['domain', 'outcome', 'kept_until'],
  pipeline: [
    ...['uuid', 'key_id', 'source', 'mapping', 'kinds', 'status', 'held_at', 'held_short_by'],
    ...['error', 'created_at', 'started_at', 'completed_at', 'deleted_at'],
  ],
  pipeline_contact: ['reason', 'email_state', 'phone_state', 'verdict'],
  list_template: ['mapping', 'selected_layers', 'saved_at'],
  monitor: [
    'uuid',
    ...['schedule', 'mapping', 'next_run_at', 'answered_to', 'created_at', 'deleted_at'],
  ],
  monitor_job: ['key_id', 'charge_rule', 'paid_at'],
  webhook: ['id', 'events', 'state', 'secret', 'previous_secret', 'previous_until', 'created_at'],
  webhook_event: ['id', 'kind', 'at'],
  webhook_delivery: ['webhook_id', 'event_id', 'state', 'due_at', 'created_at', 'ended_at'],
  webhook_attempt: ['at'],
  webhook_host: ['host'],
  tool_answer: ['key_scope', 'fingerprint', 'at'],
  tool_call: ['key_scope', 'tool', 'outcome', 'at'],
  list_folder: ['added_at'],
  oauth_client: ['id', 'created_at'],
  oauth_code: ['hash', 'client_id', 'challenge', 'resource', 'expires_at', 'used_at', 'key_id'],
  oauth_connection: ['key_id', 'client_id'],
  secret_key: ['place', 'key_id'],
};

/** Columns of directory.db without values of people. */
export const plainDirectoryColumns: Columns = {
  source_import: ['observed_on', 'status', 'content', 'started_at', 'completed_at'],
  company: [
    ...['uuid', 'given_id', 'name', 'name_key', 'website', 'domain', 'industry', 'kind'],
    ...['employee_range', 'revenue_range', 'street', 'city', 'state', 'country', 'postal_code'],
    ...['phone', 'observed_on'],
  ],
  company_alias: ['name'],
  duplicate_pair: ['kind', 'status', 'dismissed_at', 'dismissed_by'],
  // A number of a block of people, or the name or domain of a company.
  duplicate_search: ['status', 'position', 'started_at', 'ended_at'],
  record_merge: ['kind', 'merged_at', 'merged_by', 'undone_at', 'undone_by'],
  // Names, domains and phones are of companies alone.
  merged_record: ['kind', 'name', 'name_key', 'domain', 'phone'],
};
