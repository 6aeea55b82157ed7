/** What a hit cost at each data service, by field, as bars: the cheapest first. */
import { Title } from '@mantine/core';
import { useId } from 'react';
import type { ProviderField } from '../../../engine/contract/provider.ts';
import type { JobProviders } from '../../../engine/contract/providers.ts';
import { providerFieldLabels, showCost } from '../providers/provider-words.ts';
import classes from './job.module.css';

export type NamedProvider = JobProviders[number] & { readonly title: string };

interface Hit {
  readonly id: string;
  readonly title: string;
  readonly field: ProviderField;
  readonly cost: number;
  readonly price: NamedProvider['price'];
}

/** What a hit costs for comparison: money if all prices are in one currency, otherwise credits. */
function findMeasure(hits: readonly Hit[]): (hit: Hit) => number {
  const currencies = new Set(hits.map(({ price }) => price?.currency));
  const areComparable = currencies.size === 1 && !currencies.has(undefined);
  return ({ cost, price }) => (areComparable && price ? cost * price.per_credit : cost);
}

/** Nothing if no hit cost anything. */
export function HitCosts({ providers }: { providers: readonly NamedProvider[] }) {
  const id = useId();
  const found = providers.flatMap(({ provider, title, price, fields }) =>
    fields.flatMap(({ field, cost_per_hit: cost }): Hit[] =>
      cost === null ? [] : [{ id: `${provider} ${field}`, title, field, cost, price }],
    ),
  );
  const measure = findMeasure(found);
  const hits = found.sort((one, other) => measure(one) - measure(other));
  const most = Math.max(0, ...hits.map(measure));
  if (most === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={3} id={id} mb="sm">
        Cost per hit
      </Title>
      <ul className={classes.hitCosts} aria-labelledby={id}>
        {hits.map((hit) => (
          <li key={hit.id}>
            <span className={classes.hitName}>
              {hit.title}, {providerFieldLabels[hit.field].toLowerCase()}
            </span>
            <span className={classes.hitBar} aria-hidden>
              <span style={{ width: `${(measure(hit) / most) * 100}%` }} />
            </span>
            <span className="numbers">{showCost(hit.cost, hit.price)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
