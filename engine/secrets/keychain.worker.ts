/**
 * The entry of a process (or, in the desktop, a thread) that asks the system's keychain one
 * question and ends: a keychain that hangs hangs here alone.
 */
import { parentPort } from 'node:worker_threads';
import { type KeychainQuestion, readOrWriteKeychain } from './keychain.ts';

/** What comes back: the text, or why there is none. */
export type KeychainReply = { readonly text: string } | { readonly refusal: string };

const reply = (answer: KeychainReply) => {
  if (parentPort) parentPort.postMessage(answer);
  else process.send?.(answer, () => process.disconnect());
};

const answer = (question: KeychainQuestion) =>
  readOrWriteKeychain(question).then(
    (text) => reply({ text }),
    (error: Error) => reply({ refusal: error.message }),
  );

if (parentPort) parentPort.once('message', answer);
else process.once('message', (question) => void answer(question as KeychainQuestion));
