// How old the data of the people of the directory is, and where they come from.
import { z } from 'zod';

/** The ages of people: by the day on which a source observed their newest value. */
export const ageNames = [
  'under_3_months',
  'under_6_months',
  'under_1_year',
  'under_2_years',
  'older',
] as const;
export type AgeName = (typeof ageNames)[number];

/** Answer of GET /app/v1/directory/origins. Suppressed people are not counted. */
export const PeopleOriginsSchema = z.object({
  people: z.int(),
  ages: z.array(z.object({ age: z.enum(ageNames), people: z.int() })),
  /** By the source that added the person, the largest first. */
  sources: z.array(z.object({ source: z.string(), people: z.int() })),
});
export type PeopleOrigins = z.infer<typeof PeopleOriginsSchema>;
