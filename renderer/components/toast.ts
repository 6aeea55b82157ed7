// Shows toast notifications.
import { notifications } from '@mantine/notifications';
import { describeError } from '../api/client.ts';

export const showSuccess = (message: string): void =>
  void notifications.show({ message, color: 'teal', autoClose: 5_000 });

/** Shows an error with its full text until it is closed. */
export const showFailure = (title: string, error: unknown): void =>
  void notifications.show({ title, message: describeError(error), color: 'red', autoClose: false });
