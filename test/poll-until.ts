// Repeats a request until its answer is the expected one.
import { vi } from 'vitest';

/** Delay between two requests: a key may make ten a second in these tests, which none reaches. */
const intervalMs = 200;

/**
 * Repeats until `isDone` holds for the answer, and returns it. After `timeoutMs` it throws an error
 * with the last answer.
 */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer>,
  isDone: (answer: Answer) => boolean,
  timeoutMs = 60_000,
): Promise<Answer> {
  let answer!: Answer;
  const look = async () => {
    answer = await ask();
    return isDone(answer);
  };
  await vi.waitUntil(look, { interval: intervalMs, timeout: timeoutMs }).catch((cause: unknown) => {
    throw new Error(`${cause}; the last answer was ${JSON.stringify(answer)}`, { cause });
  });
  return answer;
}
