/** Tests a provider that is another engine, by requests that are free. */
import { ProviderError } from '../../contract/provider.ts';
import type { DeskTerms } from '../../contract/provider-definition.ts';
import type { ProviderCheck, ProviderTestResult } from '../definitions/test-provider.ts';
import type { DeskProvider } from './desk-provider.ts';

/** Reads the prices and the balance there. */
export async function testDesk(
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
