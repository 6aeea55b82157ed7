// Keeps the last requests of programs in memory: route, status, time and key, never a value.
import { loggedRequestsMax } from '../../contract/limits/http-server.ts';
import type { LoggedRequest } from '../../contract/requests/requests.ts';

type NewRequest = Omit<LoggedRequest, 'id'> & { readonly accountId: number | null };

export interface RequestLog {
  note(request: NewRequest): void;
  /** The newest requests of an account and those that were refused, newest first. */
  list(accountId: number, limit: number): LoggedRequest[];
}

/** Creates an empty log. The oldest request gives way to a new one once it is full. */
export function createRequestLog(requestsMax: number = loggedRequestsMax): RequestLog {
  const kept: (NewRequest & { readonly id: number })[] = [];
  let count = 0;
  return {
    note(request) {
      kept[count % requestsMax] = { ...request, id: count + 1 };
      count += 1;
    },
    list(accountId, limit) {
      const found: LoggedRequest[] = [];
      for (let nth = count - 1; nth >= Math.max(0, count - requestsMax); nth -= 1) {
        const one = kept[nth % requestsMax];
        if (found.length === limit) break;
        if (!one || (one.accountId !== null && one.accountId !== accountId)) continue;
        const { accountId: _account, ...shown } = one;
        found.push(shown);
      }
      return found;
    },
  };
}
