/** Asks the engine for the automatic backup before an update. */
import { z } from 'zod';
import type { EngineAddress } from '../engine-proxy.ts';

const FailureSchema = z.object({ detail: z.string() });

/** Makes a backup of the running engine's data. Rejects with a sentence for the user. */
export async function requestBackup({ url, token }: EngineAddress): Promise<void> {
  const answer = await fetch(new URL('/app/v1/backups', url), {
    method: 'POST',
    headers: { 'x-desk-session': token, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'update' }),
  });
  if (answer.ok) return;
  const { data } = FailureSchema.safeParse(await answer.json().catch(() => null));
  throw new Error(data?.detail ?? `The engine answered with ${answer.status}.`);
}
