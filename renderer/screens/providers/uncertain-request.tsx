/** A request with an unknown outcome: what the balance says, and what a person decides. */

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type ProviderLog, providerCalls } from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showTime } from '../../components/numbers.ts';
import { wordOfAuthor } from '../../components/words.ts';
import { showProviderCredits } from './provider-words.ts';

type LoggedRequest = ProviderLog['requests'][number];
type Uncertain = NonNullable<LoggedRequest['uncertain']>;

/** What the balances around the request suggest. */
function describeBalance({ balance }: Uncertain): string {
  if (!balance) return 'The balance after this request is unknown. Check it with the service.';
  const after = `Balance after it: ${showProviderCredits(balance.after.credits)}`;
  if (balance.fell_by === null) return `${after}.`;
  const others = balance.other_requests > 0 ? ', with other requests in between' : '';
  return balance.fell_by > 0
    ? `${after}, ${showProviderCredits(balance.fell_by)} less than before${others}.`
    : `${after}, not less than before${others}.`;
}

function describeDecision({ decisions }: Uncertain): string | null {
  const last = decisions.at(-1);
  if (!last) return null;
  const { outcome, credits, decided_by: author, decided_at: at } = last;
  const what =
    outcome === 'charged'
      ? `Charged with ${showProviderCredits(credits)}`
      : 'Not charged; later jobs ask again';
  return `${what}. Decided by ${wordOfAuthor(author)}, ${showTime(at)}.`;
}

/** The form. `charged` is prefilled with what the balance suggests. */
function DecisionForm({ id, uncertain }: { id: number; uncertain: Uncertain }) {
  const fell = uncertain.balance?.fell_by ?? 0;
  const suggested = fell > 0 ? Math.min(fell, uncertain.cost_max) : uncertain.cost_max;
  const [text, setText] = useState(String(suggested));
  const credits = /^\d{1,9}(\.\d{1,4})?$/.test(text.trim()) ? Number(text) : null;
  const decide = useChange(
    (charged: number | null) =>
      ask(providerCalls.decide, {
        id,
        ...(charged === null
          ? { outcome: 'not_charged' }
          : { outcome: 'charged', credits: charged }),
      }),
    ['provider-log', 'providers'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (credits !== null) decide.mutate(credits);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" align="flex-end" mt={4}>
        <TextInput
          size="xs"
          w={110}
          label="Credits charged"
          inputMode="decimal"
          autoComplete="off"
          value={text}
          error={credits === null && 'Enter a number.'}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default" disabled={credits === null}>
          It was charged
        </Button>
        <Button size="xs" variant="default" onClick={() => decide.mutate(null)}>
          It was not charged
        </Button>
      </Group>
      <ErrorPanel title="The decision was not stored" error={decide.error} />
    </form>
  );
}

/** Shows the decision, or asks for it. A decision can be changed. */
export function UncertainRequest({ id, uncertain }: { id: number; uncertain: Uncertain }) {
  const decision = describeDecision(uncertain);
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap={2} mt={4}>
      <Text size="xs" c="dimmed">
        {describeBalance(uncertain)}
      </Text>
      {decision && <Text size="xs">{decision}</Text>}
      {decision && !isOpen ? (
        <Group>
          <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
            Change the decision
          </Button>
        </Group>
      ) : (
        <DecisionForm key={uncertain.decisions.length} id={id} uncertain={uncertain} />
      )}
    </Stack>
  );
}
