/** Adds credits to the wallet. */

import { Button, Card, Group, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { parseCredits, unitsPerCredit } from '../../../engine/contract/credits.ts';
import { wallet } from '../../../engine/contract/ledger.ts';
import { grantCreditsMax } from '../../../engine/contract/limits/ledger.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countUnits, showCount, unitsOf } from '../../components/numbers.ts';
import { showSuccess } from '../../components/toast.ts';
import { readAmount } from '../../preferences/locale.ts';

/** The error of an amount; null if it can be granted. */
function findAmountProblem(text: string): string | null {
  const units = parseCredits(readAmount(text));
  if (units === null) return 'Enter a number such as 5000 or 12.5, with at most four decimals.';
  if (units <= 0) return 'Enter an amount above zero.';
  if (units > grantCreditsMax * unitsPerCredit)
    return `Enter at most ${showCount(grantCreditsMax)} credits.`;
  return null;
}

export function AddCredits() {
  const [amount, setAmount] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const grant = useChange(
    (credits: string) => ask(wallet.grant, { credits }),
    ['wallet', 'wallet-lines', 'state', 'estimate'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findAmountProblem(amount);
    setProblem(found);
    if (found) return;
    const credits = readAmount(amount);
    grant.mutate(credits, {
      onSuccess: () => {
        showSuccess(`${countUnits(unitsOf(credits))} were added.`);
        setAmount('');
      },
    });
  };
  return (
    <Card component="section" aria-labelledby="grant-title">
      <Title order={2} id="grant-title">
        Add credits
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        Adding credits costs nothing.
      </Text>
      <form onSubmit={submit} noValidate>
        <Group align="flex-start" gap="sm" mb={grant.error ? 'md' : 0}>
          <TextInput
            aria-label="Credits to add"
            placeholder="5,000"
            inputMode="decimal"
            value={amount}
            error={problem}
            onChange={(event) => setAmount(event.currentTarget.value)}
            w={220}
          />
          <Button type="submit" loading={grant.isPending}>
            Add credits
          </Button>
        </Group>
      </form>
      <ErrorPanel title="The credits were not added" error={grant.error} />
    </Card>
  );
}
