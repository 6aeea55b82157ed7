// The contacts of the sandbox, and the constants that all of its data share.

/** Outcome that a contact provokes → its mailbox at sandbox.example. */
export const sandboxContacts = {
  enriched: 'enriched',
  moved: 'moved',
  left: 'left',
  phone: 'phone',
  ambiguous: 'ambiguous',
  suppressed: 'suppressed',
  failed: 'failed',
  slow: 'slow',
  upstreamCredits: 'upstream-credits',
  upstreamDown: 'upstream-down',
} as const;

/** The domain of the sandbox's company, a reserved name. */
export const sandboxDomain = 'sandbox.example';

export const sandboxEmail = (mailbox: string): string => `${mailbox}@${sandboxDomain}`;

/** The day on which all sandbox data was observed. */
export const sandboxObservedOn = '2026-10-11';
