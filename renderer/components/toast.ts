/** What is said after an act, in the corner, politely. */
import { notifications } from '@mantine/notifications';
import { describeError } from '../api/client.ts';

/** Tells that something was done. */
export const showSuccess = (message: string): void =>
  void notifications.show({ message, color: 'teal', autoClose: 5_000 });

/** Tells that something was refused, whole; stays until it is closed. */
export const tellRefused = (title: string, error: unknown): void =>
  void notifications.show({ title, message: describeError(error), color: 'red', autoClose: false });
