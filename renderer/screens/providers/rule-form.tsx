// The form of a rule: for which rows a data service is asked, and which answers are accepted.
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type EmailStatus, emailStatuses } from '../../../engine/contract/jobs/job.ts';
import { type ProviderField, providerFieldNames } from '../../../engine/contract/provider.ts';
import { type StepRule, StepRuleSchema } from '../../../engine/contract/providers.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Caption } from '../../components/text.tsx';
import { providerFieldLabels } from './provider-words.ts';
import { statusWords, usualStatuses } from './rule-words.ts';

interface TypedRule {
  readonly statuses: readonly EmailStatus[];
  /** In percent. */
  readonly confidence: string;
  readonly days: string;
  readonly missing: readonly ProviderField[];
  readonly countries: string;
  readonly domains: string;
}

/** The rule in the fields. Without statuses, those that are accepted then. */
const showRule = (rule: StepRule): TypedRule => ({
  statuses: rule.statuses ?? usualStatuses,
  confidence:
    rule.confidence_min === undefined ? '' : String(Math.round(rule.confidence_min * 10_000) / 100),
  days: String(rule.age_days_max ?? ''),
  missing: rule.only_if_missing ?? [],
  countries: (rule.only_countries ?? []).join(', '),
  domains: (rule.only_domains ?? []).join(', '),
});

const splitList = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '');

/** Why a field cannot be sent, by its name. */
type RuleFaults = Partial<Record<keyof TypedRule, string>>;

function findRuleFaults(typed: TypedRule): RuleFaults {
  const confidence = typed.confidence.trim();
  const days = typed.days.trim();
  const isShare = /^\d{1,3}(\.\d{1,2})?$/.test(confidence) && Number(confidence) <= 100;
  const isOtherCode = (code: string) => !/^[a-z]{2}$/i.test(code);
  const isOtherDomain = (domain: string) => !/^[\p{L}\p{N}]([\p{L}\p{N}.-]*)$/u.test(domain);
  return {
    ...(typed.statuses.length === 0 && { statuses: 'Select at least one.' }),
    ...(confidence !== '' && !isShare && { confidence: 'Enter 0 to 100, or leave this empty.' }),
    ...(days !== '' &&
      !/^[1-9]\d{0,4}$/.test(days) && {
        days: 'Enter a whole number of days, or leave this empty.',
      }),
    ...(splitList(typed.countries).some(isOtherCode) && {
      countries: 'Enter codes of two letters, such as FR, DE.',
    }),
    ...(splitList(typed.domains).some(isOtherDomain) && {
      domains: 'Enter domains or their endings, such as acme.com, fr.',
    }),
  };
}

const isUsual = (statuses: readonly EmailStatus[]): boolean =>
  statuses.length === usualStatuses.length &&
  statuses.every((status) => usualStatuses.includes(status));

/** The rule of fields without faults. The usual statuses are no rule. */
function readRule(typed: TypedRule): StepRule {
  const countries = splitList(typed.countries).map((code) => code.toUpperCase());
  const domains = splitList(typed.domains).map((domain) => domain.toLowerCase());
  const { confidence, days, missing, statuses } = typed;
  return StepRuleSchema.parse({
    ...(!isUsual(statuses) && { statuses }),
    ...(confidence.trim() !== '' && { confidence_min: Number(confidence) / 100 }),
    ...(days.trim() !== '' && { age_days_max: Number(days) }),
    ...(missing.length > 0 && { only_if_missing: missing }),
    ...(countries.length > 0 && { only_countries: countries }),
    ...(domains.length > 0 && { only_domains: domains }),
  });
}

interface PartProps {
  readonly typed: TypedRule;
  readonly faults: RuleFaults;
  readonly change: (part: Partial<TypedRule>) => void;
}

function TextField({
  name,
  label,
  placeholder,
  typed,
  faults,
  change,
}: PartProps & {
  name: 'confidence' | 'days' | 'countries' | 'domains';
  label: string;
  placeholder: string;
}) {
  return (
    <TextInput
      flex="1 1 200px"
      label={label}
      placeholder={placeholder}
      autoComplete="off"
      value={typed[name]}
      error={faults[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
}

function Accepted({ field, ...part }: PartProps & { field: ProviderField }) {
  const { typed, faults, change } = part;
  return (
    <>
      {field === 'work_email' && (
        <Checkbox.Group
          label="Accept an email that is"
          value={[...typed.statuses]}
          error={faults.statuses}
          onChange={(statuses) => change({ statuses: statuses as EmailStatus[] })}
        >
          <Group gap="md" mt={6}>
            {emailStatuses.map((status) => (
              <Checkbox key={status} value={status} label={statusWords[status]} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <Group gap="md" align="flex-start">
        <TextField
          {...part}
          name="confidence"
          label="Confidence at least, in percent"
          placeholder="any"
        />
        <TextField {...part} name="days" label="At most this many days old" placeholder="any" />
      </Group>
    </>
  );
}

function Rows({ field, ...part }: PartProps & { field: ProviderField }) {
  const { typed, change } = part;
  return (
    <>
      <Checkbox.Group
        label="Ask only if none of these was found"
        value={[...typed.missing]}
        onChange={(missing) => change({ missing: missing as ProviderField[] })}
      >
        <Group gap="md" mt={6}>
          {providerFieldNames
            .filter((name) => name !== field)
            .map((name) => (
              <Checkbox key={name} value={name} label={providerFieldLabels[name]} />
            ))}
        </Group>
      </Checkbox.Group>
      <Group gap="md" align="flex-start">
        <TextField
          {...part}
          name="countries"
          label="Only for these countries"
          placeholder="all, or FR, DE"
        />
        <TextField
          {...part}
          name="domains"
          label="Only for these company domains"
          placeholder="all, or acme.com, fr"
        />
      </Group>
    </>
  );
}

interface RuleFormProps {
  field: ProviderField;
  title: string;
  rule: StepRule;
  error: Error | null;
  isPending: boolean;
  onSave: (rule: StepRule) => void;
}

export function RuleForm({ field, title, rule, error, isPending, onSave }: RuleFormProps) {
  const [typed, setTyped] = useState(() => showRule(rule));
  const faults = findRuleFaults(typed);
  const hasFaults = Object.keys(faults).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!hasFaults) onSave(readRule(typed));
  };
  const part = {
    field,
    typed,
    faults,
    change: (changed: Partial<TypedRule>) => setTyped({ ...typed, ...changed }),
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Accepted {...part} />
        <Rows {...part} />
        <Caption>
          An answer that is not accepted is kept, and the next service is asked. An answer without a
          confidence is accepted.
        </Caption>
        <ErrorPanel title={`The rule of ${title} was not saved`} error={error} />
        <Group justify="space-between" gap="sm">
          <Button onClick={() => setTyped(showRule({}))}>Remove the rule</Button>
          <Button variant="filled" type="submit" disabled={hasFaults} loading={isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
