/** The place of the short messages that screens show. */
import { Notifications } from '@mantine/notifications';

export const Toasts = () => <Notifications position="bottom-right" />;
