// The team configuration: the rules of an organisation for an engine. The same keys are valid in a
// policy of the machine and in `team.json` (engine/policy). Its JSON schema is published as
// resources/team-config.schema.json.
import { z } from 'zod';
import { AccountChangeSchema } from '../accounts.ts';
import { endpoints } from '../endpoints.ts';
import { providerIdPattern } from '../ids.ts';
import { organisationCharactersMax } from '../limits/team.ts';
import { rateCodes } from '../rates.ts';
import { RetentionPolicySchema } from '../retention/retention.ts';

/** `fixed`: nobody can change it in the app. `default`: what a new account starts with. */
const BindingSchema = z.enum(['fixed', 'default']);

const rule = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ binding: BindingSchema, value }).optional();

const account = AccountChangeSchema.shape;
const SettingsSchema = z.strictObject({
  match_threshold: rule(account.match_threshold.unwrap()),
  charge_policy: rule(account.charge_policy.unwrap()),
  free_repeat_days: rule(account.free_repeat_days.unwrap()),
  infer_emails: rule(account.infer_emails.unwrap()),
  monitor_charge: rule(account.monitor_charge.unwrap()),
});
export type RuledSetting = keyof z.infer<typeof SettingsSchema>;
export const ruledSettings = Object.keys(SettingsSchema.shape) as RuledSetting[];

const CreditsTextSchema = z
  .string()
  .regex(/^\d{1,7}(\.\d{1,4})?$/, 'send credits such as "1.5", with at most four fraction digits')
  .describe('Credits, with at most four fraction digits.');

const RateRuleSchema = z.strictObject({
  binding: BindingSchema,
  price: CreditsTextSchema.optional(),
  active: z.boolean().optional(),
});

const ProviderIdSchema = z.string().regex(providerIdPattern, 'send the id of a provider');
const ProviderCapSchema = z.number().min(0).max(1e9);

const AddressSchema = z
  .string()
  .max(2_000)
  .regex(
    /^(https:\/\/[^\s?#@]+|http:\/\/(127\.0\.0\.1|localhost)(:\d+)?(\/[^\s?#@]*)?)$/,
    'send an address such as https://desk.team.example; http is only for this machine',
  );

export const updateChannels = ['stable', 'beta'] as const;
export type UpdateChannel = (typeof updateChannels)[number];

export const UpdateRulesSchema = z.strictObject({
  mode: z.enum(['on', 'off']).optional().describe('off: the app never asks for updates.'),
  feed: AddressSchema.optional().describe('The folder on a web server that has the installers.'),
  channel: z.enum(updateChannels).optional(),
  key: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'send the 32 bytes of an Ed25519 key in base64')
    .optional()
    .describe('The public key of the feed, if it is not that of the build.'),
});
export type UpdateRules = z.infer<typeof UpdateRulesSchema>;

export const TeamConfigSchema = z.strictObject({
  $schema: z.string().max(500).optional(),
  organisation: z
    .string()
    .trim()
    .min(1)
    .max(organisationCharactersMax)
    .optional()
    .describe('The name that the app shows as the source of a rule.'),
  upstream: z
    .strictObject({
      address: AddressSchema,
      is_local: z
        .boolean()
        .optional()
        .describe('Whether its host may have an address of a private network.'),
    })
    .optional()
    .describe('The only other engine that may be asked. Its key is entered by each user.'),
  providers: z
    .strictObject({ allowed: z.array(ProviderIdSchema).max(100) })
    .optional()
    .describe('The data services that may be switched on.'),
  rates: z.partialRecord(z.enum(rateCodes as [string, ...string[]]), RateRuleSchema).optional(),
  caps: z
    .strictObject({
      keys: z
        .strictObject({
          per_call: CreditsTextSchema.optional(),
          per_day: CreditsTextSchema.optional(),
          per_month: CreditsTextSchema.optional(),
        })
        .optional(),
      providers: z
        .record(
          ProviderIdSchema,
          z.strictObject({
            job: ProviderCapSchema.optional(),
            day: ProviderCapSchema.optional(),
            month: ProviderCapSchema.optional(),
          }),
        )
        .optional(),
    })
    .optional()
    .describe('The most that each API key may spend, and the most at each data service.'),
  settings: SettingsSchema.optional(),
  retention: RetentionPolicySchema.optional(),
  updates: UpdateRulesSchema.optional(),
});
export type TeamConfig = z.infer<typeof TeamConfigSchema>;

/** Where a rule may come from, the strongest first. */
export const ruleSourceKinds = ['managed', 'policy_file', 'packed', 'app_folder'] as const;

const RuleSourceSchema = z.object({
  kind: z.enum(ruleSourceKinds),
  place: z.string(),
});
export type RuleSource = z.infer<typeof RuleSourceSchema>;

const RuleInForceSchema = z.object({
  /** Such as `settings.match_threshold`. */
  path: z.string(),
  /** As JSON. */
  value: z.string(),
  is_locked: z.boolean(),
  source: RuleSourceSchema,
});
export type RuleInForce = z.infer<typeof RuleInForceSchema>;

export const OrganisationSchema = z.object({
  /** Its name; null if no source says it. */
  name: z.string().nullable(),
  /** The address of the only other engine that may be asked; null if none is ruled. */
  upstream: z.string().nullable(),
  /** The data services that may be switched on; null if all may. */
  allowed_providers: z.array(z.string()).nullable(),
  sources: z.array(RuleSourceSchema),
  rules: z.array(RuleInForceSchema),
});
export type Organisation = z.infer<typeof OrganisationSchema>;

export const organisation = endpoints('organisation', {
  read: { app: 'GET /app/v1/organisation', answer: OrganisationSchema },
});
