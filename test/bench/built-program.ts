/**
 * Builds the product if a source has changed, so that a benchmark measures what users run. Import
 * it before everything that starts an engine.
 */
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/build-app.mjs';

await ensureBuilt(join(import.meta.dirname, '../..'));
process.env.DESK_TEST_BUILT = '1';
