/** The order of the data services for every field; the directory is always first. */

import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import {
  providerCalls,
  type StepRule,
  type UserProvider,
  type UserProviders,
} from '../../../engine/contract/providers.ts';
import { useCall } from '../../api/live.ts';
import { Section } from '../../components/section.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { FieldOrder } from './field-order.tsx';
import { providerFieldLabels } from './provider-words.ts';
import classes from './providers.module.css';
import { RuleForm } from './rule-form.tsx';
import { describeRule } from './rule-words.ts';

type Field = UserProviders['waterfall'][number];

function OrderOf({ step, providers }: { step: Field; providers: readonly UserProvider[] }) {
  const { field } = step;
  const order = useCall(providerCalls.order, ['providers', 'estimate']);
  const [ruledId, setRuledId] = useState<string | null>(null);
  const steps = order.isPending ? order.variables.steps : step.steps;
  const ruleOf = (id: string) =>
    step.steps.find(({ provider }) => provider === id)?.rule ?? ({} satisfies StepRule);
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const ordered = steps.flatMap(({ provider: id, rule }) => {
    const provider = byId.get(id);
    if (!provider) return [];
    const words = describeRule(rule ?? ruleOf(id));
    return [{ id, title: provider.title, isOn: provider.is_on, rule: words }];
  });
  const ruled = ruledId === null ? undefined : byId.get(ruledId);
  return (
    <>
      <FieldOrder
        field={providerFieldLabels[field]}
        providers={ordered}
        onRule={(id) => {
          order.reset();
          setRuledId(id);
        }}
        onOrder={(ids) =>
          order.mutate(
            { field, steps: ids.map((provider) => ({ provider })) },
            { onError: (error) => showFailure('The order was not changed', error) },
          )
        }
      />
      <Modal
        opened={ruled !== undefined}
        onClose={() => setRuledId(null)}
        size="lg"
        title={`${ruled?.title ?? ''} for ${providerFieldLabels[field].toLowerCase()}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {ruled && (
          <RuleForm
            key={ruled.id}
            field={field}
            title={ruled.title}
            rule={ruleOf(ruled.id)}
            error={order.error}
            isPending={order.isPending}
            onSave={(rule) =>
              order.mutate(
                {
                  field,
                  steps: step.steps.map(({ provider }) =>
                    provider === ruled.id ? { provider, rule } : { provider },
                  ),
                },
                {
                  onSuccess: () => {
                    setRuledId(null);
                    showSuccess(`The rule of ${ruled.title} was saved.`);
                  },
                },
              )
            }
          />
        )}
      </Modal>
    </>
  );
}

export function Waterfall({
  providers,
  waterfall,
}: {
  providers: readonly UserProvider[];
  waterfall: UserProviders['waterfall'];
}) {
  return (
    <Section
      title="Order"
      sentence={
        'If a data service has no value for a field, the next one is asked. Drag a service, or ' +
        'use its buttons. A rule limits the rows that it is asked for and the answers you accept.'
      }
    >
      {waterfall.length === 0 ? (
        <Text size="sm" c="dimmed">
          Data services appear here once they have a key.
        </Text>
      ) : (
        <div className={classes.fields}>
          {waterfall.map((step) => (
            <OrderOf key={step.field} step={step} providers={providers} />
          ))}
        </div>
      )}
    </Section>
  );
}
