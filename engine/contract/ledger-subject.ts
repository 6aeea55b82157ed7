// The subject of a ledger entry, by kind and id: what the credits are for.

const subjectKinds = {
  grant: ['grant'],
  hold: ['job', 'pipeline', 'email_validation'],
  charge: ['monitor_job', 'email_lookup', 'phone_lookup', 'tool', 'review'],
} as const;

/** What credits can be held for. The id is the UUID of the work. */
export interface HoldSubject {
  readonly kind: (typeof subjectKinds.hold)[number];
  readonly id: string;
}
/**
 * What credits can be charged for. The id is that of the Career Monitor job, the UUID of the person
 * who was looked up, the name of the tool that was called, or the UUID of the reviewed job.
 */
export interface ChargeSubject {
  readonly kind: (typeof subjectKinds.charge)[number];
  readonly id: string;
}
/** Where credits come from. The id describes it in words. */
export interface GrantSubject {
  readonly kind: (typeof subjectKinds.grant)[number];
  readonly id: string;
}
export type LedgerSubject = GrantSubject | HoldSubject | ChargeSubject;

export const allSubjectKinds = [
  ...subjectKinds.grant,
  ...subjectKinds.hold,
  ...subjectKinds.charge,
] as const;
