// Labels and figures of data services.
import type { ProviderField } from '../../../engine/contract/provider.ts';
import type { ProviderLog, UserProvider } from '../../../engine/contract/providers.ts';
import type { ChipStatus } from '../../components/status-chip.tsx';
import { inLocale } from '../../preferences/locale.ts';

export const providerFieldLabels: Readonly<Record<ProviderField, string>> = {
  work_email: 'Work email',
  email_status: 'Email status',
  employment: 'Employer and title',
  headquarters: 'Head office',
  new_job: 'New job',
  phone: 'Phone',
};

/** Credits of a data service: 1234.5 → "1,234.5". */
export const showProviderCredits = (credits: number): string => inLocale().number(credits);

const countProviderCredits = (credits: number): string =>
  `${showProviderCredits(credits)} ${credits === 1 ? 'credit' : 'credits'}`;

/** The money that credits cost: "about €12.50"; null without a price. */
export function showMoney(credits: number, price: UserProvider['price']): string | null {
  if (!price) return null;
  const amount = credits * price.per_credit;
  return `about ${inLocale().money(amount, price.currency)}`;
}

/** Credits with the money that they cost: "94 credits, about €4.70". */
export function showCost(credits: number, price: UserProvider['price']): string {
  return [countProviderCredits(credits), showMoney(credits, price)].filter(Boolean).join(', ');
}

/** "Work email, Phone: at most 1 credit each", a line for each price. */
export function describePrices({ fields, row_cost_max: ofRow }: UserProvider): string[] {
  const byPrice = Map.groupBy(fields, ({ cost_max: cost }) => cost);
  const lines = [...byPrice].map(([cost, priced]) => {
    const names = priced.map(({ field }) => providerFieldLabels[field]).join(', ');
    if (cost === 0) return ofRow === 0 ? `${names}: free` : names;
    return `${names}: at most ${countProviderCredits(cost)}${priced.length > 1 ? ' each' : ''}`;
  });
  return ofRow === 0 ? lines : [...lines, `At most ${countProviderCredits(ofRow)} for each row`];
}

/** The credits that the caps still allow a new job, and the cap that decides; null for no cap. */
export function findAllowance({
  caps,
  spend,
}: Pick<UserProvider, 'caps' | 'spend'>): { credits: number; cap: string } | null {
  const left = [
    { cap: 'per job', credits: caps.job },
    { cap: 'left today', credits: caps.day === null ? null : caps.day - spend.today },
    { cap: 'left this month', credits: caps.month === null ? null : caps.month - spend.month },
  ].flatMap(({ cap, credits }) =>
    credits === null ? [] : [{ cap, credits: Math.max(0, credits) }],
  );
  return left.sort((one, other) => one.credits - other.credits)[0] ?? null;
}

/** Where the key is, and what to do about it. */
export const keyPlaceWords: Readonly<Record<NonNullable<UserProvider['key_place']>, string>> = {
  keychain: 'The key is in the system’s keychain. A new one replaces it. It is never shown.',
  file:
    'No keychain is used, so the key is in the data folder, encrypted with engine.key. Keep ' +
    'the folder private. A new key replaces it. It is never shown.',
  missing: 'The key is not on this machine: backups contain no keys. Enter it again.',
  unavailable:
    'The key is in the system keychain, which is locked or does not respond. Unlock it. ' +
    'Until then, nothing is sent to this service.',
};

interface StateChip {
  readonly chip: ChipStatus;
  readonly word: string;
}

export function chipOfProvider(provider: UserProvider): StateChip {
  const { has_key, key_place, origin, is_on, breaker } = provider;
  if (!has_key && origin !== 'built_in') return { chip: 'waiting', word: 'no key' };
  if (key_place === 'missing') return { chip: 'failed', word: 'key missing' };
  if (key_place === 'unavailable') return { chip: 'failed', word: 'keychain locked' };
  if (!is_on) return { chip: 'paused', word: 'off' };
  if (breaker.state === 'open') return { chip: 'failed', word: 'on, not responding' };
  if (breaker.state === 'half_open') return { chip: 'ambiguous', word: 'on, trying again' };
  return { chip: 'enriched', word: 'on' };
}

export const requestChips: Readonly<Record<ProviderLog['requests'][number]['state'], StateChip>> = {
  intent: { chip: 'queued', word: 'not sent yet' },
  sent: { chip: 'running', word: 'sent' },
  answered: { chip: 'completed', word: 'answered' },
  uncertain: { chip: 'ambiguous', word: 'outcome unknown' },
  failed: { chip: 'failed', word: 'failed' },
};

/** Whether the user added a data service: only these are in the table and in the order. */
export const isAdded = ({ has_key, origin }: UserProvider): boolean =>
  has_key || origin !== 'shipped';
