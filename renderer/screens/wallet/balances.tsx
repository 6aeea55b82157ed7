/** Available, reserved and spent credits. */

import { useQuery } from '@tanstack/react-query';
import { wallet } from '../../../engine/contract/ledger.ts';
import { ask } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import { showCredits } from '../../components/numbers.ts';

export function Balances() {
  const { data, error, refetch } = useQuery({
    queryKey: ['wallet'],
    queryFn: () => ask(wallet.read),
  });
  if (error)
    return <ErrorPanel title="The wallet could not be loaded" error={error} onRetry={refetch} />;
  return (
    <Figures
      figures={[
        { label: 'Available', value: data && showCredits(data.available) },
        { label: 'Reserved for running jobs', value: data && showCredits(data.held) },
        { label: 'Spent', value: data && showCredits(data.spent) },
      ]}
    />
  );
}
