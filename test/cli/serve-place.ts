// A folder with a running engine, for all tests of a file.
import { afterAll, beforeAll } from 'vitest';
import { type EngineHere, startEngineHere } from '../engine-here.ts';
import { makePlace, type Place } from './run-desk.ts';

/** Serves a new folder before the tests of a file, and removes it after them. */
export function servePlace(prepare?: (engine: EngineHere) => Promise<void>): Place {
  const place = makePlace();
  let engine: EngineHere | null = null;
  beforeAll(async () => {
    engine = await startEngineHere(place.dataDir);
    await prepare?.(engine);
  });
  afterAll(async () => {
    await engine?.stop();
    place.remove();
  });
  return place;
}
