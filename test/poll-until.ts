/** Asks again and again until an answer is the one that a test waits for. */
import { vi } from 'vitest';

/** Between two questions: a key may make ten requests a second, and no test comes near that. */
const intervalMs = 200;

/** Asks until `isDone` holds of the answer, and returns it; throws after `timeoutMs`. */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer>,
  isDone: (answer: Answer) => boolean,
  timeoutMs = 60_000,
): Promise<Answer> {
  let answer!: Answer;
  await vi.waitUntil(
    async () => {
      answer = await ask();
      return isDone(answer);
    },
    { interval: intervalMs, timeout: timeoutMs },
  );
  return answer;
}
