/** The table of the commands of `desk`, in the order in which the help lists them. */
import { accountCommands } from './accounts.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { directoryCommands } from './directory.ts';
import { doctor } from './doctor.ts';
import { enrich } from './enrich.ts';
import { keyCommands } from './keys.ts';
import { rateCommands } from './rates.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { walletCommands } from './wallet.ts';

/** Every command. */
export const commands: readonly Command[] = [
  serve,
  enrich,
  ...directoryCommands,
  ...accountCommands,
  ...keyCommands,
  ...walletCommands,
  ...rateCommands,
  backup,
  restore,
  doctor,
];
