// Notifies the app when a command of the writer thread ends with an approval request.
import { EngineError } from '../contract/errors.ts';

type Call = (command: unknown) => unknown;

/** Wraps calls that may end with an approval request: `tell` then gets the asked account. */
export const announceApprovals = <Table extends object>(
  calls: Table,
  announce: (accountId: number) => void,
): Table =>
  Object.fromEntries(
    Object.entries(calls as Record<string, Call>).map(([name, call]) => [
      name,
      async (command: unknown) => {
        try {
          return await call(command);
        } catch (error) {
          if (error instanceof EngineError && error.approval)
            announce((command as { accountId: number }).accountId);
          throw error;
        }
      },
    ]),
  ) as Table;
