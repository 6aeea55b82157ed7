// Types of flip-fuses.mjs.
import type { FuseV1Options } from '@electron/fuses';
export const fuses: Record<FuseV1Options, boolean>;
