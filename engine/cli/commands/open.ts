// `desk open`: a new one-time link to the interface of the running engine.
import { sessions } from '../../contract/sessions.ts';
import { answersAt, socketPathOf } from '../../platform/data-dir.ts';
import type { Call, Command, Outcome } from '../kit/command.ts';
import { CommandError, exitCodes } from '../kit/refusal.ts';

async function runOpen(call: Call): Promise<Outcome> {
  // An engine that the command starts itself would end with it, and the link with the engine.
  if (!(await answersAt(socketPathOf(call.dataDir))))
    throw new CommandError(
      'no_engine',
      exitCodes.failed,
      `No engine is running with the data folder ${call.dataDir}. ` +
        'Start one with "desk serve --open".',
    );
  const engine = await call.openEngine();
  const link = await engine.ask(sessions.link);
  return {
    json: link,
    lines: [
      'Open this link once, within five minutes, in a browser on this machine:',
      link.open_url,
    ],
  };
}

export const open: Command = {
  name: 'open',
  summary: 'Print a new link to the interface of the running engine',
  notes: [
    'Each link opens one browser, which stays open until it is closed in Settings or unused for',
    '30 days. Other browsers are not affected.',
  ],
  run: runOpen,
};
