// Opens and tests the provider of a definition: a declared one, or another engine.
import { ProviderError } from '../../contract/provider.ts';
import type { DeskTerms, ProviderDefinition } from '../../contract/provider-definition.ts';
import {
  type DeclaredProvider,
  type DeclaredProviderDeps,
  openDeclaredProvider,
} from '../definitions/declared-provider.ts';
import {
  type ProviderCheck,
  type ProviderTestResult,
  testProvider,
} from '../definitions/test-provider.ts';
import { type DeskProvider, openDeskProvider } from '../desk/desk-provider.ts';

async function testDesk(
  provider: DeskProvider,
  desk: DeskTerms,
  signal: AbortSignal,
): Promise<ProviderTestResult> {
  const accepts = 'The engine accepts the key.';
  try {
    const prices = await provider.readPrices(signal);
    const higher = Object.entries(desk.prices).flatMap(([code, known]) => {
      const price = prices[code as keyof typeof prices] ?? 0;
      return price > known ? [`${code} costs ${price}, not ${known}.`] : [];
    });
    const balance = await provider.readBalance(signal);
    const checks: ProviderCheck[] = [
      { assumption: accepts, isOk: true, detail: '' },
      {
        assumption: 'Its prices are at most those that were read when it was added.',
        isOk: higher.length === 0,
        detail: higher.join(' '),
      },
      {
        assumption: 'Its estimate has the balance.',
        isOk: balance !== null,
        detail: balance === null ? 'It has no number there.' : `${balance} credits are left.`,
      },
    ];
    return { checks, balance };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { checks: [{ assumption: accepts, isOk: false, detail: error.message }], balance: null };
  }
}

/** Opens the provider of a definition. Nothing is sent yet, and it need not be closed. */
export const openUserProvider = (
  definition: ProviderDefinition,
  deps: DeclaredProviderDeps,
): DeclaredProvider | DeskProvider =>
  definition.desk
    ? openDeskProvider(definition, definition.desk, deps)
    : openDeclaredProvider(definition, deps);

export function testUserProvider(
  definition: ProviderDefinition,
  deps: DeclaredProviderDeps,
  signal: AbortSignal,
): Promise<ProviderTestResult> {
  const { desk } = definition;
  return desk
    ? testDesk(openDeskProvider(definition, desk, deps), desk, signal)
    : testProvider(definition, deps, signal);
}

/**
 * The text of the file of another engine at an address, with the prices that it charges now. Throws
 * ProviderError if the engine does not answer or refuses the key.
 */
export async function readDeskFile(
  definition: ProviderDefinition,
  deps: DeclaredProviderDeps,
  signal: AbortSignal,
): Promise<string> {
  const { id, desk, keepDays } = definition;
  if (!desk?.address) throw new ProviderError('bad_input', `${id} has no address.`);
  const prices = await openDeskProvider(definition, desk, deps).readPrices(signal);
  const known = Object.entries(prices).filter(([code]) => Object.hasOwn(desk.prices, code));
  const file = {
    id,
    client: 'desk',
    title: definition.title,
    address: desk.address,
    ...(desk.isLocal && { local: true }),
    prices: { ...desk.prices, ...Object.fromEntries(known) },
    ...(keepDays !== undefined && { keepDays }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
