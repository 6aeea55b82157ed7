// Words of the wallet, in the app, in exports and on the command line.
import { layerCodes, nameLayer } from '../jobs/layers.ts';
import type { WalletLineKind } from './wallet-lines.ts';
import type { SpendPart } from './wallet-spend.ts';

export const walletLineWords: Readonly<Record<WalletLineKind, string>> = {
  grant: 'Credits added',
  job: 'Job',
  pipeline: 'Emails and phones',
  email_validation: 'Email check',
  monitor_job: 'Monitor run',
  lookup: 'Lookup',
  tool: 'Assistant',
};

export const nameWalletLine = (kind: WalletLineKind): string => walletLineWords[kind];

const partWords: Readonly<Record<string, string>> = {
  job: 'Jobs, other',
  pipeline: 'Emails and phones',
  email_validation: 'Email checks',
  monitor_job: 'Monitors',
  email_lookup: 'Email lookups',
  phone_lookup: 'Phone lookups',
  tool: 'Assistants',
  review: 'Reviews',
};

/** What credits were spent on: the label of a layer, or a kind of work. */
export function nameSpendPart(part: SpendPart): string {
  const layer = layerCodes.find((code) => code === part);
  return layer ? nameLayer(layer) : (partWords[part] ?? part);
}

const grantWords: Readonly<Record<string, string>> = {
  'first grant': 'Starting balance',
  'granted in the app': 'By you',
  'added when needed': 'Added when needed',
};

export const nameGrant = (origin: string): string => grantWords[origin] ?? origin;
