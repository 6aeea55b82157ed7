// The values that an import may claim, by record; the positions are the codes in value_claim.

/** The records that have values. The order gives the code in value_claim. */
export const recordNames = ['person', 'employment', 'company'] as const;
export type RecordName = (typeof recordNames)[number];

/**
 * Columns of each record that imports claim, in the order of their codes: append, never reorder. An
 * employment's company identifies it and is not claimed.
 */
export const recordFields = {
  person: [
    'first_name',
    'middle_name',
    'last_name',
    'suffix',
    'nickname',
    'profile_url',
    'city',
    'state',
    'country',
    'opted_out',
  ],
  employment: [
    'title',
    'job_function',
    'job_level',
    'email',
    'email_status',
    'start_on',
    'end_on',
    'is_current',
    'is_primary',
  ],
  company: [
    'name',
    'website',
    'domain',
    'industry',
    'kind',
    'employee_range',
    'revenue_range',
    'street',
    'city',
    'state',
    'country',
    'postal_code',
    'phone',
    'employees',
    'revenue',
    'founded',
    'legal_name',
    'registration_number',
    'parent',
    'description',
  ],
} as const satisfies Record<RecordName, readonly string[]>;

/** The value of a NOT NULL column that no import claims. */
export const emptyValues: Readonly<Record<string, string>> = {
  first_name: '',
  last_name: '',
  opted_out: '0',
  is_current: '0',
  is_primary: '0',
};

export type FieldName<R extends RecordName = RecordName> = (typeof recordFields)[R][number];

/** What one import says of a record; fields that it does not mention are left out. */
export type Values<R extends RecordName = RecordName> = Partial<Record<FieldName<R>, string>>;
