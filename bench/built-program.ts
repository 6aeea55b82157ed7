// Builds the product if a source has changed, so that a benchmark measures what users run. Import
// it before everything that starts an engine.
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/build-app.mjs';

// Before the build: what is imported next reads it, and does not wait for this module.
process.env.DESK_TEST_BUILT = '1';
await ensureBuilt(join(import.meta.dirname, '..'));
