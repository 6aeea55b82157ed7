// Ids and timestamps of the API.
import { z } from 'zod';
import { jobIdExample, timestampExample } from './examples.ts';

/** A lower-case UUID. */
export const UuidSchema = z.uuid().meta({ examples: [jobIdExample] });
/** ISO 8601 with offset, UTC ("2026-11-20T10:57:42.000Z"). */
export const TimestampSchema = z.string().meta({
  description: 'ISO 8601 timestamp with offset.',
  format: 'date-time',
  examples: [timestampExample],
});
/** The two environments of an installation. They share no data. */
export const environmentNames = ['live', 'staging'] as const;
export type EnvironmentName = (typeof environmentNames)[number];
/** The path prefix of each environment: none, or /staging (docs/api.md, "Staging"). */
export const environmentPaths = { live: '', staging: '/staging' } as const satisfies Record<
  EnvironmentName,
  string
>;
/**
 * The id of a provider, which is also the name of its file. Windows reserves some names, with any
 * extension, for devices: a file of that name cannot be written.
 */
export const providerIdPattern = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[a-z][a-z0-9-]{0,39}$/;
