/**
 * Entry of a process (in the desktop app, a thread) that calls the system's keychain once and ends.
 * If the keychain hangs, only this process or thread hangs.
 */
import { parentPort } from 'node:worker_threads';
import { type KeychainQuestion, readOrWriteKeychain } from './keychain.ts';

/** The reply: the text, or why there is none. */
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
