// What the price says about inferred emails, while the account infers them.
import { useAppState } from '../../../api/live.ts';
import { Note, ScreenLink } from '../../../components/text.tsx';

/** One sentence; nothing if the account infers no emails. */
export function InferredEmails() {
  const { data: state } = useAppState();
  if (!state?.account.infer_emails) return null;
  return (
    <Note>
      Inferred emails are on and free: a person without a work email may get a probable one, in a
      column of its own.{' '}
      <ScreenLink underline="always" href="/settings">
        Change it in Settings
      </ScreenLink>
      .
    </Note>
  );
}
