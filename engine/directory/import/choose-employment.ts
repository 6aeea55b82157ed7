// Chooses the employment that represents a person (person.employment_id).

export interface EmploymentChoice {
  readonly id: number;
  readonly is_current: number;
  readonly is_primary: number;
  readonly start_on: string | null;
  readonly end_on: string | null;
  readonly observed_on: string;
  readonly import_id: number;
}

export interface ChosenEmployment {
  readonly employmentId: number | null;
  /** 1 if it has ended and the next one is unknown. */
  readonly hasLeft: 0 | 1;
}

// Of current employments, the primary one, then the latest start; of ended ones, the latest end.
const currentOrder: readonly (keyof EmploymentChoice)[] = [
  'is_primary',
  'start_on',
  'observed_on',
  'import_id',
  'id',
];
const endedOrder: readonly (keyof EmploymentChoice)[] = [
  'end_on',
  'start_on',
  'is_primary',
  'observed_on',
  'import_id',
  'id',
];

function isBefore(
  one: EmploymentChoice,
  other: EmploymentChoice,
  order: readonly (keyof EmploymentChoice)[],
): boolean {
  for (const field of order) {
    const [a, b] = [one[field] ?? '', other[field] ?? ''];
    if (a !== b) return a > b;
  }
  return false;
}

/** The primary current job, or the last one (docs/rules.md, "What the layers answer"). */
export function chooseEmployment(employments: readonly EmploymentChoice[]): ChosenEmployment {
  const current = employments.filter((employment) => employment.is_current === 1);
  const pool = current.length ? current : employments;
  const order = current.length ? currentOrder : endedOrder;
  const best = pool.reduce<EmploymentChoice | null>(
    (kept, one) => (kept && !isBefore(one, kept, order) ? kept : one),
    null,
  );
  return { employmentId: best?.id ?? null, hasLeft: best && !current.length ? 1 : 0 };
}
