/** Repeats a request until its answer is the expected one. */
import { vi } from 'vitest';

/** Delay between two requests: a key may make ten a second in these tests, which none reaches. */
const intervalMs = 200;

/** Repeats until `isDone` holds for the answer, and returns it; throws after `timeoutMs`. */
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
