// Every request of the interface that a component test can answer, with its contract's schemas.
import { z } from 'zod';
import { accounts } from '../../engine/contract/accounts.ts';
import { assistants } from '../../engine/contract/assistants/assistants.ts';
import { audit } from '../../engine/contract/audit/audit.ts';
import { directory, ImportOptionsSchema } from '../../engine/contract/directory.ts';
import { duplicates } from '../../engine/contract/duplicates/duplicates.ts';
import type { Endpoints } from '../../engine/contract/endpoints.ts';
import { engineCalls, OpenCodeSchema, SessionSchema } from '../../engine/contract/engine.ts';
import { jobExports } from '../../engine/contract/exports/job-exports.ts';
import { identityProvider } from '../../engine/contract/identity-provider.ts';
import { imports } from '../../engine/contract/imports.ts';
import { jobRows, newJobs } from '../../engine/contract/jobs/app-jobs.ts';
import { jobs } from '../../engine/contract/jobs/job.ts';
import { jobList } from '../../engine/contract/jobs/job-list.ts';
import { review } from '../../engine/contract/jobs/review.ts';
import { keys } from '../../engine/contract/keys.ts';
import { wallet } from '../../engine/contract/ledger.ts';
import { maintenanceCalls } from '../../engine/contract/maintenance.ts';
import { monitorJobs, monitors } from '../../engine/contract/monitors/monitors.ts';
import { authorizations, login } from '../../engine/contract/oauth.ts';
import { personData } from '../../engine/contract/person-data/person-data.ts';
import { pipelines } from '../../engine/contract/pipelines/app-pipelines.ts';
import { providerCalls } from '../../engine/contract/providers.ts';
import { rates } from '../../engine/contract/rate-card.ts';
import { templates } from '../../engine/contract/reading/template.ts';
import { directorySearch } from '../../engine/contract/records/record-search.ts';
import { jobsOfPerson, records } from '../../engine/contract/records/records.ts';
import { requestLog } from '../../engine/contract/requests/requests.ts';
import { retention } from '../../engine/contract/retention/retention.ts';
import { sessions } from '../../engine/contract/sessions.ts';
import { sharedDirectory } from '../../engine/contract/shared/settings.ts';
import { suppression } from '../../engine/contract/suppression/suppression.ts';
import { organisation } from '../../engine/contract/team/team-config.ts';
import { uploads } from '../../engine/contract/uploads.ts';
import { validations } from '../../engine/contract/validations.ts';
import { walletLines } from '../../engine/contract/wallet/wallet-lines.ts';
import { walletSpend } from '../../engine/contract/wallet/wallet-spend.ts';
import { webhooks } from '../../engine/contract/webhooks.ts';

const JsonSchema = z.string().transform((text): unknown => JSON.parse(text));

/** The options of an import in a form: text, or JSON if more than text. */
const ImportFormSchema = z
  .strictObject({
    source: z.string().optional(),
    observed: z.string().optional(),
    trust: z.string().transform(Number).optional(),
    day_order: z.string().optional(),
    mapping: JsonSchema.optional(),
    keep: JsonSchema.optional(),
    reading: JsonSchema.optional(),
    companies_reading: JsonSchema.optional(),
  })
  .pipe(ImportOptionsSchema);

type ByAddress<Table extends Endpoints> = {
  readonly [Key in keyof Table as Table[Key] extends { readonly app: infer App extends string }
    ? App
    : never]: Table[Key];
};
const byAddress = <Table extends Endpoints>(table: Table) =>
  Object.fromEntries(
    Object.values(table).flatMap((call) => (call.app ? [[call.app, call]] : [])),
  ) as ByAddress<Table>;

const _nothing = z.strictObject({});

/**
 * Method and path → the request (`body`, or `form` for the text fields of a form) and the response.
 * The staging environment has the same paths under /staging.
 */
export const contract = {
  'POST /app/v1/session': { body: OpenCodeSchema, answer: SessionSchema },

  ...byAddress(directory),
  ...byAddress(imports),
  'POST /app/v1/directory/imports': { ...imports.start, form: ImportFormSchema },
  ...byAddress(monitors),
  ...byAddress(monitorJobs),
  ...byAddress(pipelines),
  ...byAddress(jobs),
  ...byAddress(newJobs),
  ...byAddress(jobRows),
  ...byAddress(jobList),
  ...byAddress(jobExports),
  ...byAddress(jobsOfPerson),
  ...byAddress(review),
  ...byAddress(templates),
  ...byAddress(uploads),

  ...byAddress(accounts),
  ...byAddress(keys),
  ...byAddress(wallet),
  ...byAddress(rates),
  ...byAddress(walletLines),
  ...byAddress(walletSpend),
  ...byAddress(engineCalls),
  ...byAddress(maintenanceCalls),
  ...byAddress(sessions),
  ...byAddress(authorizations),
  ...byAddress(login),
  ...byAddress(identityProvider),
  ...byAddress(assistants),
  ...byAddress(audit),
  ...byAddress(personData),
  ...byAddress(suppression),
  ...byAddress(retention),
  ...byAddress(organisation),
  ...byAddress(requestLog),
  ...byAddress(duplicates),
  ...byAddress(records),
  ...byAddress(directorySearch),
  ...byAddress(sharedDirectory),
  ...byAddress(providerCalls),
  ...byAddress(validations),
  ...byAddress(webhooks),
} as const satisfies Record<string, Exchange>;

export interface Exchange {
  readonly answer: z.ZodType;
  readonly body?: z.ZodType;
  readonly form?: z.ZodType;
}

type Contract = typeof contract;
export type Route = keyof Contract;
/** The content of a request after parsing. */
export type SentOf<Name extends Route> = Contract[Name] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : Contract[Name] extends { form: infer S extends z.ZodType }
    ? z.output<S>
    : undefined;
/** The data of a response, before its envelope. */
export type AnswerOf<Name extends Route> = z.input<Contract[Name]['answer']>;
