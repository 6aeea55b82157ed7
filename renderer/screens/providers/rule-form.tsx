/** The form of a rule: for which rows a data service is asked, and which answers are accepted. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type EmailStatus, emailStatuses } from '../../../engine/contract/jobs/job.ts';
import { type ProviderField, providerFieldNames } from '../../../engine/contract/provider.ts';
import type { StepRule } from '../../../engine/contract/providers.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { providerFieldLabels } from './provider-words.ts';
import {
  findRuleFaults,
  type RuleFaults,
  readRule,
  showRule,
  type TypedRule,
} from './read-rule.ts';
import { statusWords } from './rule-words.ts';

interface PartProps {
  readonly typed: TypedRule;
  readonly faults: RuleFaults;
  readonly change: (part: Partial<TypedRule>) => void;
}

function TextField({
  name,
  label,
  hint,
  placeholder,
  typed,
  faults,
  change,
}: PartProps & {
  name: 'confidence' | 'days' | 'countries' | 'domains';
  label: string;
  hint?: string;
  placeholder: string;
}) {
  return (
    <TextInput
      flex="1 1 200px"
      label={label}
      description={hint}
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

export function RuleForm({
  field,
  title,
  rule,
  error,
  isPending,
  onSave,
}: {
  field: ProviderField;
  title: string;
  rule: StepRule;
  error: Error | null;
  isPending: boolean;
  onSave: (rule: StepRule) => void;
}) {
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
        <Text size="xs" c="dimmed">
          An answer that is not accepted is kept, and the next service is asked. An answer without a
          confidence is accepted.
        </Text>
        <ErrorPanel title={`The rule of ${title} was not saved`} error={error} />
        <Group justify="space-between" gap="sm">
          <Button variant="default" onClick={() => setTyped(showRule({}))}>
            Remove the rule
          </Button>
          <Button type="submit" disabled={hasFaults} loading={isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
