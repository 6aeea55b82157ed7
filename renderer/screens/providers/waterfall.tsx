/** The order of the data services for every field; the directory is always first. */
import { Text } from '@mantine/core';
import type { UserProvider, UserProviders } from '../../../engine/contract/providers.ts';
import { useChange } from '../../api/live.ts';
import { type FieldSteps, setProviderOrder } from '../../api/providers.ts';
import { Section } from '../../components/section.tsx';
import { showFailure } from '../../components/toast.ts';
import { FieldOrder } from './field-order.tsx';
import { providerFieldLabels } from './provider-words.ts';
import classes from './providers.module.css';

type Field = UserProviders['waterfall'][number];

function OrderOf({ step, providers }: { step: Field; providers: readonly UserProvider[] }) {
  const order = useChange((steps: FieldSteps) => setProviderOrder(steps), ['providers']);
  const ids = order.isPending ? order.variables.ids : step.steps.map(({ provider }) => provider);
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const ordered = ids.flatMap((id) => {
    const provider = byId.get(id);
    return provider ? [{ id, title: provider.title, isOn: provider.is_on }] : [];
  });
  return (
    <FieldOrder
      field={providerFieldLabels[step.field]}
      providers={ordered}
      onOrder={(next) =>
        order.mutate(
          { field: step.field, ids: next },
          { onError: (error) => showFailure('The order was not changed', error) },
        )
      }
    />
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
        'A field that the first one leaves open is asked of the next. Drag a provider, or use ' +
        'its buttons.'
      }
    >
      {waterfall.length === 0 ? (
        <Text size="sm" c="dimmed">
          Providers appear here once they have a key.
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
