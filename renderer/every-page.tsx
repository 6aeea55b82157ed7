// The place of the short messages that screens show: away from their buttons.
import { Notifications } from '@mantine/notifications';

export const Toasts = () => <Notifications position="bottom-left" />;
