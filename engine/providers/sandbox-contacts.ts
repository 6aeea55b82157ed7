/** The names of the sandbox's contacts, and what is the same for all of its data. */

/** What a contact is there for → its mailbox at sandbox.example. */
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

/** The domain of the sandbox's own company; the name is reserved, and nobody's. */
export const sandboxDomain = 'sandbox.example';

/** The address of a mailbox of the sandbox. */
export const sandboxEmail = (mailbox: string): string => `${mailbox}@${sandboxDomain}`;

/** The day on which everything in the sandbox was observed. */
export const sandboxObservedOn = '2026-10-11';
