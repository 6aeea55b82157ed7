// The table of places: every column of engine.db and directory.db that may have values of a person,
// and how it is searched and erased. test/person-data/places.test.ts fails for a column of text
// that is neither here nor in test/person-data/plain-columns.ts.
import type { PlaceTreatment } from '../contract/person-data/person-data.ts';

/**
 * What replaces a text that names the person: the marker, the empty text, the marker in those texts
 * of a JSON value that name the person, or a random token.
 */
export type Replacement = 'marker' | 'empty' | 'json' | 'token';

export interface TextPlace {
  readonly place: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Replacement>>;
  /** Whether a row is deleted as a whole. By default its texts are replaced. */
  readonly isDeleted?: true;
  /** Whether identifiers alone are searched: columns with one address, for millions of rows. */
  readonly byIdentifier?: true;
}

/** Places of engine.db whose rows are found by their texts alone. */
export const textPlaces: readonly TextPlace[] = [
  {
    place: 'Requests that asked for approval',
    table: 'approval',
    key: ['id'],
    columns: { arguments: 'json', idempotency_key: 'token' },
  },
  {
    place: 'Idempotency keys',
    table: 'idempotency',
    key: ['key_scope', 'key'],
    columns: { key: 'token' },
    isDeleted: true,
  },
  {
    place: 'Titles, file names and errors of jobs',
    table: 'job',
    key: ['id'],
    columns: { title: 'marker', file_name: 'marker', headers: 'json', error_detail: 'marker' },
  },
  {
    place: 'Names and headers of templates',
    table: 'list_template',
    key: ['id'],
    columns: { name: 'token', headers: 'json' },
  },
  {
    place: 'Titles, file names and problems of monitors',
    table: 'monitor',
    key: ['id'],
    columns: { title: 'marker', file_name: 'marker', headers: 'json', problem: 'marker' },
  },
  {
    place: 'Errors of monitor runs',
    table: 'monitor_job',
    key: ['id'],
    columns: { charge_error: 'marker' },
  },
  {
    place: 'Titles and errors of lists of emails and phones',
    table: 'pipeline',
    key: ['id'],
    columns: { title: 'marker', error_detail: 'marker' },
  },
  {
    place: 'Errors of email validations',
    table: 'email_validation',
    key: ['id'],
    columns: { error_detail: 'marker' },
  },
  {
    place: 'Addresses of email validations',
    table: 'email_verdict',
    key: ['validation_id', 'position'],
    columns: { email: 'empty' },
    byIdentifier: true,
  },
  {
    place: 'Requests to data services',
    table: 'provider_request',
    key: ['id'],
    columns: { detail: 'marker' },
  },
  {
    place: 'Notes about data services',
    table: 'provider_note',
    key: ['job_id', 'provider'],
    columns: { detail: 'marker' },
  },
  {
    place: 'Events for webhooks',
    table: 'webhook_event',
    key: ['id'],
    columns: { body: 'json' },
  },
  {
    place: 'Answers of webhooks',
    table: 'webhook_attempt',
    key: ['delivery_id', 'number'],
    columns: { error: 'marker', excerpt: 'marker' },
  },
  {
    place: 'Repeated answers of tools',
    table: 'tool_answer',
    key: ['key_scope', 'key'],
    columns: { key: 'token', material: 'json', report: 'json' },
    isDeleted: true,
  },
  {
    place: 'Log of tool calls',
    table: 'tool_call',
    key: ['id'],
    columns: { arguments: 'json', detail: 'marker' },
  },
];

interface OwnPlace {
  readonly place: string;
  readonly treatment: PlaceTreatment;
  /** Table → columns with values of people. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** Places with rules of their own: find-entries.ts searches them, erase-store.ts erases them. */
export const ownPlaces = {
  inputs: { place: 'Rows of lists', treatment: 'anonymised', columns: {} },
  uploads: { place: 'Rows of uploads', treatment: 'anonymised', columns: {} },
  results: {
    place: 'Results of jobs',
    treatment: 'anonymised',
    columns: {
      result: ['contact_uuid', 'fields', 'provenance', 'error', 'inferred'],
    },
  },
  candidates: {
    place: 'Candidates of other rows',
    treatment: 'deleted',
    columns: { result: ['candidates'] },
  },
  findings: {
    place: 'Changes that monitors found',
    treatment: 'anonymised',
    columns: { monitor_finding: ['changes'] },
  },
  reviews: {
    place: 'Decisions of reviews',
    treatment: 'anonymised',
    columns: {
      review_pick: ['contact_uuid'],
      review_memory: ['contact_hash', 'offered'],
    },
  },
  contacts: {
    place: 'People of lists of emails and phones',
    treatment: 'anonymised',
    columns: {
      pipeline_contact: ['person_uuid', 'error', 'facts', 'email', 'email_status', 'phone'],
      pipeline_subjects: ['subjects'],
    },
  },
  answers: {
    place: 'Answers of data services',
    treatment: 'deleted',
    columns: { provider_answer: ['subject', 'answer'] },
  },
  owned: {
    place: 'Values that were paid for',
    treatment: 'anonymised',
    columns: { owned: ['person_uuid'] },
  },
  ledger: {
    place: 'Charges of the ledger',
    treatment: 'anonymised',
    columns: { ledger_entry: ['subject_id'] },
  },
  remembered: {
    place: 'Payments of deleted jobs',
    treatment: 'deleted',
    // A keyed hash of the UUID.
    columns: { paid_person: ['person_hash'] },
  },
  merges: {
    place: 'Merges and duplicates',
    treatment: 'deleted',
    columns: {
      record_merge: [
        'survivor_uuid',
        'survivor_name',
        'loser_uuid',
        'loser_name',
        'choices',
        'before',
        'after',
      ],
      merged_record: ['uuid'],
      duplicate_pair: ['one_uuid', 'other_uuid'],
      merged_person: ['uuid', 'survivor_uuid'],
    },
  },
  directory: {
    place: 'People of the directory',
    treatment: 'deleted',
    columns: {
      person: [
        'uuid',
        'given_id',
        'first_name',
        'middle_name',
        'last_name',
        'last_key',
        'suffix',
        'nickname',
        'profile_url',
        'profile_key',
        'city',
        'state',
        'country',
        'mobile_phone',
        'direct_phone',
        'observed_on',
      ],
    },
  },
  employments: {
    place: 'Employments of the directory',
    treatment: 'deleted',
    columns: {
      employment: [
        'title',
        'job_function',
        'job_level',
        'email',
        'email_status',
        'start_on',
        'end_on',
        'observed_on',
      ],
    },
  },
  facts: {
    place: 'Names, addresses and numbers of the directory',
    treatment: 'deleted',
    columns: {
      person_name: ['first_name', 'last_name'],
      person_key: ['kind', 'value'],
      person_phone: ['kind', 'number', 'observed_on'],
      person_listing: ['given_id', 'kept', 'keys'],
      company_listing: ['kept'],
      value_claim: ['value', 'observed_on'],
    },
  },
  imports: {
    place: 'Reports of imports',
    treatment: 'anonymised',
    columns: { source_import: ['source', 'name', 'provenance_head', 'report'] },
  },
  suppressed: {
    place: 'Suppression list',
    treatment: 'kept',
    columns: { suppression: ['key', 'value', 'reason'] },
  },
  users: {
    place: 'Names and logins of users of this desk',
    treatment: 'kept',
    columns: {
      account: ['name'],
      api_key: ['label'],
      login: ['email'],
      identity_provider: ['emails', 'subjects'],
      stdio_client: ['name'],
      oauth_client: ['name', 'redirect_uris'],
      oauth_code: ['client_name', 'redirect_uri'],
      oauth_connection: ['client_name', 'redirect_uri'],
      list_folder: ['path', 'real_path'],
      provider_decision: ['decided_by'],
      review_recall: ['decided_by'],
    },
  },
  webhooks: {
    place: 'Addresses of webhooks',
    treatment: 'kept',
    columns: { webhook: ['url'] },
  },
  namesakes: {
    place: 'Rows, titles and file names with only the name',
    treatment: 'kept',
    // Columns of textPlaces, and rows of files.
    columns: {},
  },
  audit: {
    place: 'Audit log',
    treatment: 'kept',
    columns: { audit_entry: ['actor', 'subject', 'details'] },
  },
  backups: { place: 'Backups', treatment: 'kept', columns: { backup_file: ['path'] } },
} as const satisfies Record<string, OwnPlace>;

export type OwnPlaceName = keyof typeof ownPlaces;

export const advice: Readonly<Partial<Record<OwnPlaceName, string>>> = {
  suppressed:
    'Kept, so that no import brings the person back. Remove entries in Directory → Suppressed, ' +
    'or with desk suppress remove.',
  users: 'Kept, because a user of this desk is named. Change them in Settings and Connections.',
  webhooks: 'Kept, because events are sent there. Change the webhook, or delete it.',
  namesakes:
    'Kept, because another person may have the name. Rename the title, or delete the job, ' +
    'monitor, list of emails and phones, template or upload.',
  audit:
    'Kept, because entries never change. They name who acted: the label of a key, or an assistant.',
  backups: 'A backup cannot be changed. Delete it, or delete the person again after a restore.',
};
