/** A change of the limits of an API key. */

import type { CreditUnits } from '../contract/credits.ts';

/** Limits of an API key that are set; what is left out stays, or is the usual. */
export interface KeyLimitChange {
  readonly requestsPerMinute?: number | undefined;
  /** null takes the cap away. */
  readonly capDayUnits?: CreditUnits | null | undefined;
  readonly capMonthUnits?: CreditUnits | null | undefined;
  /** The most that one request may cost. */
  readonly capCallUnits?: CreditUnits | null | undefined;
  /** A person is asked about a request that would cost more. */
  readonly askAboveUnits?: CreditUnits | null | undefined;
  /** Whether its client may ask the person itself. */
  readonly selfApproval?: boolean | undefined;
}
