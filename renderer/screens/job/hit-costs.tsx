/** What a hit cost at each data service, by field, as bars: the cheapest first. */
import { Title } from '@mantine/core';
import { useId } from 'react';
import { providerFieldLabels, showCost } from '../providers/provider-words.ts';
import classes from './job.module.css';
import type { NamedProvider } from './job-providers.tsx';

/** Nothing if no hit cost anything. */
export function HitCosts({ providers }: { providers: readonly NamedProvider[] }) {
  const id = useId();
  const hits = providers
    .flatMap(({ provider, title, price, fields }) =>
      fields.flatMap(({ field, cost_per_hit: cost }) =>
        cost === null ? [] : [{ id: `${provider} ${field}`, title, field, cost, price }],
      ),
    )
    .sort((one, other) => one.cost - other.cost);
  const most = Math.max(0, ...hits.map(({ cost }) => cost));
  if (most === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={3} id={id} mb="sm">
        Credits a hit
      </Title>
      <ul className={classes.hitCosts} aria-labelledby={id}>
        {hits.map((hit) => (
          <li key={hit.id}>
            <span className={classes.hitName}>
              {hit.title}, {providerFieldLabels[hit.field].toLowerCase()}
            </span>
            <span className={classes.hitBar} aria-hidden>
              <span style={{ width: `${(hit.cost / most) * 100}%` }} />
            </span>
            <span className="numbers">{showCost(hit.cost, hit.price)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
