/** The price of a job before it is submitted. */

import type { EstimateData } from '../contract/jobs/job.ts';

/** What an estimate needs to answer beside the preview. */
export type EstimateWithoutPreview = Omit<EstimateData, 'preview'>;
