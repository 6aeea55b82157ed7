/** Ids that cross a wire. */
import { z } from 'zod';

/** A lower-case UUID. */
export const UuidSchema = z.uuid();
/** ISO 8601 with offset, UTC ("2026-11-20T10:57:42.000Z"). */
export const TimestampSchema = z.string().describe('ISO 8601 timestamp with offset.');
/** The two worlds of an installation: nothing but code is shared between them. */
export const worldNames = ['live', 'test'] as const;
/** A world's name. */
export type WorldName = (typeof worldNames)[number];
