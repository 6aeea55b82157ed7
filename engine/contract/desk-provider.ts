/**
 * The file format of a provider that is another engine, or any service with the public interface of
 * this product: its address, and what it charges for each layer.
 */
import { z } from 'zod';
import { LayerCodeSchema } from './jobs/layers.ts';

/** A whole file. */
export const DeskFileSchema = z.strictObject({
  /** Equal to the name of the file. */
  id: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower case letters, digits and hyphens'),
  client: z.literal('desk'),
  title: z.string().min(1).max(80).optional(),
  /** The address of the engine, such as `https://desk.team.example`. http only for loopback. */
  address: z.url({ protocol: /^https?$/ }).optional(),
  /** Allows a host whose name has an address of a private network. */
  local: z.literal(true).optional(),
  /** What a row costs for each layer. The default is that of a new installation. */
  prices: z.partialRecord(LayerCodeSchema, z.number().min(0).max(10_000)).default({}),
  /** Days that answers may be kept. Absent: no limit. */
  keepDays: z.int().min(1).max(3_650).optional(),
});
/** A whole file. */
export type DeskFile = z.infer<typeof DeskFileSchema>;
