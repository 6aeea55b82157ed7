/** The estimate of the app (/app/v1/estimate): what each layer is expected to find. */
import { z } from 'zod';
import { EstimateDataSchema, PreviewSchema } from './job.ts';
import { LayerCodeSchema } from './layers.ts';

/** The dry run of the app's estimate. */
export const AppPreviewSchema = PreviewSchema.extend({
  found_layers: z
    .partialRecord(LayerCodeSchema, z.number().min(0).max(1))
    .describe('Share of the sample in which each selected layer returned data.'),
});
export type AppPreview = z.infer<typeof AppPreviewSchema>;

/** Answer of POST /app/v1/estimate. */
export const AppEstimateSchema = EstimateDataSchema.extend({
  preview: AppPreviewSchema.optional(),
});
export type AppEstimate = z.infer<typeof AppEstimateSchema>;
