/** Every request of the interface that a component test can answer, with its contract's schemas. */
import { z } from 'zod';
import {
  AccountChangeSchema,
  AccountSchema,
  CreatedKeySchema,
  KeyChangeSchema,
  KeySchema,
  NewAccountSchema,
  NewKeySchema,
} from '../../engine/contract/accounts.ts';
import {
  ApprovalAnswerSchema,
  AssistantCallSchema,
  AssistantChangeSchema,
  AssistantsSchema,
  ListFolderSchema,
  NewListFolderSchema,
} from '../../engine/contract/assistants/assistants.ts';
import {
  AuditExportRequestSchema,
  AuditPageSchema,
  AuditStateSchema,
} from '../../engine/contract/audit/audit.ts';
import {
  DirectoryStatsSchema,
  ImportOptionsSchema,
  ImportReportSchema,
} from '../../engine/contract/directory.ts';
import {
  DuplicateDetailSchema,
  DuplicateSearchSchema,
  DuplicatesPageSchema,
  MergePairSchema,
  MergesPageSchema,
  RecordMergeSchema,
  SearchDuplicatesSchema,
} from '../../engine/contract/duplicates/duplicates.ts';
import type { Endpoints } from '../../engine/contract/endpoints.ts';
import {
  AppStateSchema,
  AutomaticBackupSchema,
  BrowserSessionSchema,
  OpenCodeSchema,
  SessionSchema,
} from '../../engine/contract/engine.ts';
import {
  IdentityProviderSchema,
  IssuerCheckSchema,
  NewIdentityProviderSchema,
} from '../../engine/contract/identity-provider.ts';
import { TaskStartedSchema } from '../../engine/contract/imports.ts';
import { ExportAnswerSchema } from '../../engine/contract/jobs/app-jobs.ts';
import {
  GrantSchema,
  RateChangeSchema,
  RateSchema,
  WalletSchema,
} from '../../engine/contract/ledger.ts';
import {
  AllowSchema,
  AuthorizationSchema,
  ConnectionSchema,
  LoginSchema,
  NewLoginSchema,
} from '../../engine/contract/oauth.ts';
import {
  PersonDeletionSchema,
  PersonExportSchema,
  PersonQuerySchema,
  PersonReceiptQuerySchema,
  PersonReceiptSchema,
  PersonReceiptsSchema,
  PersonSearchSchema,
} from '../../engine/contract/person-data/person-data.ts';
import {
  PipelineEstimateSchema,
  PipelineQuestionSchema,
} from '../../engine/contract/pipelines/app-pipelines.ts';
import {
  DecidedRequestSchema,
  DefinitionImportSchema,
  ForgottenAnswersSchema,
  NewDefinitionSchema,
  ProviderChangeSchema,
  ProviderKeySchema,
  ProviderLogSchema,
  ProviderOrderSchema,
  ProviderQuoteRequestSchema,
  ProviderQuoteSchema,
  ProviderTestSchema,
  RequestDecisionSchema,
  UserProvidersSchema,
} from '../../engine/contract/providers.ts';
import {
  ImportPreviewRequestSchema,
  ImportPreviewSchema,
} from '../../engine/contract/records/import-preview.ts';
import { PeopleOriginsSchema } from '../../engine/contract/records/people-origins.ts';
import {
  SearchFirmsSchema,
  SearchPeopleSchema,
} from '../../engine/contract/records/record-search.ts';
import {
  CompanyRecordSchema,
  JobsOfPersonSchema,
  PersonRecordSchema,
} from '../../engine/contract/records/records.ts';
import { RequestsSchema } from '../../engine/contract/requests/requests.ts';
import {
  RetentionChangeSchema,
  RetentionPreviewSchema,
  RetentionRunRequestSchema,
  RetentionSchema,
} from '../../engine/contract/retention/retention.ts';
import {
  FoundCompaniesSchema,
  FoundContactsSchema,
  SearchValuesSchema,
} from '../../engine/contract/search.ts';
import {
  SharedDirectoryChangeSchema,
  SharedDirectorySchema,
  SharedTestSchema,
} from '../../engine/contract/shared/settings.ts';
import {
  SuppressionAdditionSchema,
  SuppressionImportSchema,
  SuppressionPageSchema,
  SuppressionRemovalSchema,
  SuppressionRemovedSchema,
  SuppressionReportSchema,
} from '../../engine/contract/suppression/suppression.ts';
import { OrganisationSchema } from '../../engine/contract/team/team-config.ts';
import {
  WalletEntriesSchema,
  WalletExportRequestSchema,
  WalletPageSchema,
} from '../../engine/contract/wallet/wallet-lines.ts';
import { SpendReportSchema } from '../../engine/contract/wallet/wallet-spend.ts';
import { webhooks } from '../../engine/contract/webhooks.ts';
import { jobContract } from './job-contract.ts';

const JsonSchema = z.string().transform((text): unknown => JSON.parse(text));

/** The options of an import in a form: text, or JSON if more than text. */
const ImportFormSchema = z
  .strictObject({
    source: z.string().optional(),
    observed: z.string().optional(),
    trust: z.string().transform(Number).optional(),
    day_order: z.string().optional(),
    mapping: JsonSchema.optional(),
    reading: JsonSchema.optional(),
    companies_reading: JsonSchema.optional(),
  })
  .pipe(ImportOptionsSchema);

/** The calls of a table by their address for the app. */
type ByAddress<Table extends Endpoints> = {
  readonly [Key in keyof Table as Table[Key] extends { readonly app: infer App extends string }
    ? App
    : never]: Table[Key];
};
const byAddress = <Table extends Endpoints>(table: Table) =>
  Object.fromEntries(
    Object.values(table).flatMap((call) => (call.app ? [[call.app, call]] : [])),
  ) as ByAddress<Table>;

const nothing = z.strictObject({});
const ignored = z.unknown();

/**
 * Method and path → the request (`body`, or `form` for the text fields of a form) and the response.
 * The staging environment has the same paths under /staging.
 */
export const contract = {
  'GET /app/v1/state': { answer: AppStateSchema },
  'POST /app/v1/session': { body: OpenCodeSchema, answer: SessionSchema },
  'GET /app/v1/backups': { answer: z.array(AutomaticBackupSchema) },
  'GET /app/v1/sessions': { answer: z.array(BrowserSessionSchema) },
  'DELETE /app/v1/sessions/:id': { answer: ignored },
  'GET /app/v1/accounts': { answer: z.array(AccountSchema) },
  'POST /app/v1/accounts': { body: NewAccountSchema, answer: AccountSchema },
  'PATCH /app/v1/accounts/:id': { body: AccountChangeSchema, answer: AccountSchema },
  'GET /app/v1/wallet': { answer: WalletSchema },
  'GET /app/v1/wallet/lines': { answer: WalletPageSchema },
  'GET /app/v1/wallet/lines/:id/entries': { answer: WalletEntriesSchema },
  'GET /app/v1/wallet/spend': { answer: SpendReportSchema },
  'POST /app/v1/wallet/exports': { body: WalletExportRequestSchema, answer: ExportAnswerSchema },
  'POST /app/v1/wallet/grants': { body: GrantSchema, answer: WalletSchema },
  'GET /app/v1/rates': { answer: z.array(RateSchema) },
  'PUT /app/v1/rates/:code': { body: RateChangeSchema, answer: ignored },

  ...jobContract,

  'GET /app/v1/directory': { answer: DirectoryStatsSchema },
  'POST /app/v1/directory/imports': { form: ImportFormSchema, answer: TaskStartedSchema },
  'POST /app/v1/directory/import-previews': {
    body: ImportPreviewRequestSchema,
    answer: ImportPreviewSchema,
  },
  'POST /app/v1/directory/imports/:id/undo': { body: nothing, answer: ImportReportSchema },
  'GET /app/v1/directory/search/values': { answer: SearchValuesSchema },
  'GET /app/v1/directory/origins': { answer: PeopleOriginsSchema },
  'GET /app/v1/directory/people/:id': { answer: PersonRecordSchema },
  'GET /app/v1/directory/people/:id/jobs': { answer: JobsOfPersonSchema },
  'GET /app/v1/directory/companies/:id': { answer: CompanyRecordSchema },
  'POST /app/v1/directory/search/companies': {
    body: SearchFirmsSchema,
    answer: FoundCompaniesSchema,
  },
  'POST /app/v1/pipelines/estimate': {
    body: PipelineQuestionSchema,
    answer: PipelineEstimateSchema,
  },
  'POST /app/v1/directory/search/contacts': {
    body: SearchPeopleSchema,
    answer: FoundContactsSchema,
  },

  'GET /app/v1/keys': { answer: z.array(KeySchema) },
  'POST /app/v1/keys': { body: NewKeySchema, answer: CreatedKeySchema },
  'PATCH /app/v1/keys/:id': { body: KeyChangeSchema, answer: KeySchema },
  'DELETE /app/v1/keys/:id': { answer: KeySchema },

  'GET /app/v1/authorizations': { answer: z.array(AuthorizationSchema) },
  'POST /app/v1/authorizations/:id/allow': { body: AllowSchema, answer: ignored },
  'POST /app/v1/authorizations/:id/deny': { body: nothing, answer: ignored },
  'GET /app/v1/requests': { answer: RequestsSchema },
  'GET /app/v1/connections': { answer: z.array(ConnectionSchema) },
  'GET /app/v1/login': { answer: LoginSchema },
  'PUT /app/v1/login': { body: NewLoginSchema, answer: LoginSchema },
  'DELETE /app/v1/login': { answer: LoginSchema },
  'GET /app/v1/identity-provider': { answer: IdentityProviderSchema },
  'PUT /app/v1/identity-provider': {
    body: NewIdentityProviderSchema,
    answer: IdentityProviderSchema,
  },
  'DELETE /app/v1/identity-provider': { answer: IdentityProviderSchema },
  'POST /app/v1/identity-provider/check': { body: nothing, answer: IssuerCheckSchema },

  'GET /app/v1/assistants': { answer: AssistantsSchema },
  'PATCH /app/v1/assistants/:id': { body: AssistantChangeSchema, answer: KeySchema },
  'GET /app/v1/assistants/calls': { answer: z.array(AssistantCallSchema) },
  'POST /app/v1/assistants/approvals/:id': { body: ApprovalAnswerSchema, answer: ignored },
  'GET /app/v1/assistants/folders': { answer: z.array(ListFolderSchema) },
  'POST /app/v1/assistants/folders': { body: NewListFolderSchema, answer: ListFolderSchema },
  'DELETE /app/v1/assistants/folders/:id': { answer: ignored },

  'GET /app/v1/audit': { answer: AuditPageSchema },
  'GET /app/v1/audit-state': { answer: AuditStateSchema },
  'POST /app/v1/audit-exports': { body: AuditExportRequestSchema, answer: ExportAnswerSchema },
  'POST /app/v1/person-data/searches': { body: PersonQuerySchema, answer: PersonSearchSchema },
  'POST /app/v1/person-data/exports': { body: PersonQuerySchema, answer: PersonExportSchema },
  'POST /app/v1/person-data/deletions': { body: PersonDeletionSchema, answer: PersonReceiptSchema },
  'POST /app/v1/person-data/receipts': {
    body: PersonReceiptQuerySchema,
    answer: PersonReceiptsSchema,
  },
  'GET /app/v1/suppression': { answer: SuppressionPageSchema },
  'POST /app/v1/suppression': { body: SuppressionAdditionSchema, answer: SuppressionReportSchema },
  'POST /app/v1/suppression-imports': {
    body: SuppressionImportSchema,
    answer: SuppressionReportSchema,
  },
  'POST /app/v1/suppression-opt-outs': { answer: SuppressionReportSchema },
  'POST /app/v1/suppression-removals': {
    body: SuppressionRemovalSchema,
    answer: SuppressionRemovedSchema,
  },

  'GET /app/v1/organisation': { answer: OrganisationSchema },
  'GET /app/v1/retention': { answer: RetentionSchema },
  'PATCH /app/v1/retention': { body: RetentionChangeSchema, answer: RetentionSchema },
  'POST /app/v1/retention-previews': {
    body: RetentionChangeSchema,
    answer: RetentionPreviewSchema,
  },
  'POST /app/v1/retention-runs': { body: RetentionRunRequestSchema, answer: RetentionSchema },

  'GET /app/v1/duplicates': { answer: DuplicatesPageSchema },
  'GET /app/v1/duplicates/:id': { answer: DuplicateDetailSchema },
  'POST /app/v1/duplicates/:id/merge': { body: MergePairSchema, answer: RecordMergeSchema },
  'POST /app/v1/duplicates/:id/dismiss': { body: nothing, answer: DuplicateDetailSchema },
  'POST /app/v1/duplicate-searches': {
    body: SearchDuplicatesSchema,
    answer: DuplicateSearchSchema,
  },
  'GET /app/v1/duplicate-merges': { answer: MergesPageSchema },
  'POST /app/v1/duplicate-merges/:id/undo': { body: nothing, answer: RecordMergeSchema },

  'GET /app/v1/shared-directory': { answer: SharedDirectorySchema },
  'PUT /app/v1/shared-directory': {
    body: SharedDirectoryChangeSchema,
    answer: SharedDirectorySchema,
  },
  'DELETE /app/v1/shared-directory': { answer: SharedDirectorySchema },
  'POST /app/v1/shared-directory/tests': {
    body: nothing,
    answer: z.object({ test: SharedTestSchema.nullable() }),
  },

  'GET /app/v1/providers': { answer: UserProvidersSchema },
  'PATCH /app/v1/providers/:id': { body: ProviderChangeSchema, answer: UserProvidersSchema },
  'DELETE /app/v1/providers/:id': { answer: UserProvidersSchema },
  'PUT /app/v1/providers/:id/key': { body: ProviderKeySchema, answer: UserProvidersSchema },
  'POST /app/v1/providers/:id/test': { body: nothing, answer: ProviderTestSchema },
  'POST /app/v1/providers/:id/forget': { body: nothing, answer: ForgottenAnswersSchema },
  'PUT /app/v1/provider-order': { body: ProviderOrderSchema, answer: UserProvidersSchema },
  'POST /app/v1/provider-quote': {
    body: ProviderQuoteRequestSchema,
    answer: ProviderQuoteSchema,
  },
  'POST /app/v1/provider-definitions': {
    body: NewDefinitionSchema,
    answer: DefinitionImportSchema,
  },
  'GET /app/v1/provider-log': { answer: ProviderLogSchema },
  'POST /app/v1/provider-requests/:id/decision': {
    body: RequestDecisionSchema,
    answer: DecidedRequestSchema,
  },

  ...byAddress(webhooks),
} as const satisfies Record<string, Exchange>;

/** The request of one address, and its response. */
export interface Exchange {
  readonly answer: z.ZodType;
  readonly body?: z.ZodType;
  readonly form?: z.ZodType;
}

type Contract = typeof contract;
/** A method and a path of the contract. */
export type Route = keyof Contract;
/** The content of a request after parsing. */
export type SentOf<Name extends Route> = Contract[Name] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : Contract[Name] extends { form: infer S extends z.ZodType }
    ? z.output<S>
    : undefined;
/** The data of a response, before its envelope. */
export type AnswerOf<Name extends Route> = z.input<Contract[Name]['answer']>;
