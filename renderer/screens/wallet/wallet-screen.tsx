/** The wallet: balances, credits to add, spending over time, and every movement. */

import { Page } from '../../components/page.tsx';
import { creditsSentence } from '../../components/words.ts';
import { AddCredits } from './add-credits.tsx';
import { Balances } from './balances.tsx';
import { Budget } from './budget.tsx';
import { SpendSection } from './spend-section.tsx';
import { WalletHistory } from './wallet-history.tsx';

export function WalletScreen() {
  return (
    <Page title="Wallet" sentence={creditsSentence}>
      <Balances />
      <Budget />
      <AddCredits />
      <SpendSection />
      <WalletHistory />
    </Page>
  );
}
