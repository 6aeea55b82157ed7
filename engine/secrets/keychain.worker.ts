// Entry of a process (in the desktop app, a thread) that calls the system's keychain once and ends.
// If the keychain hangs, only this process or thread hangs.
import { parentPort } from 'node:worker_threads';
import { callKeychain, type KeychainQuestion } from './keychain.ts';

/** The reply: the text, null if there is none, or why the keychain cannot be used. */
export type KeychainReply = { readonly text: string | null } | { readonly refusal: string };

const reply = (answer: KeychainReply) => {
  if (parentPort) parentPort.postMessage(answer);
  else process.send?.(answer, () => process.disconnect());
};

const answer = (question: KeychainQuestion) =>
  callKeychain(question).then(
    (text) => reply({ text }),
    (error: Error) => reply({ refusal: error.message }),
  );

if (parentPort) parentPort.once('message', answer);
else process.once('message', (question) => void answer(question as KeychainQuestion));
