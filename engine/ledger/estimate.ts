/** The price of a job before it is submitted. */

import type { EstimateData } from '../contract/jobs/job.ts';

/** An estimate without its preview. */
export type EstimateWithoutPreview = Omit<EstimateData, 'preview'>;
