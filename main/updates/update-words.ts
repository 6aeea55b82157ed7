/** Sentences about updates, for the page and for dialogs. */
import type { OffReason, RefusalReason } from './update-policy.ts';

/** Why the app does not check for updates. */
export const offSentences: Readonly<Record<OffReason, string>> = {
  not_installed: 'Updates are off: this copy of the app was not installed by an installer.',
  no_feed: 'Updates are off: this build has no update address.',
  no_key: 'Updates are off: this build has no key to verify them.',
  organisation: 'Updates are off: your organisation installs them.',
  user: 'Updates are off.',
};

/** Why an offer is not installed. */
export const refusalSentences: Readonly<Record<RefusalReason | 'tampered', string>> = {
  malformed: 'The update server sent an offer that cannot be read. Nothing was installed.',
  older: 'The update server offers an older version. Nothing was installed.',
  wrong_channel: 'The update server offers a test version, but you chose stable ones.',
  unsigned: 'The offered version has no signature. Nothing was installed. Tell your administrator.',
  bad_signature:
    'The signature of the offered version is wrong. Nothing was installed. ' +
    'Tell your administrator.',
  tampered:
    'The downloaded file is not the one that was signed. It was deleted, and nothing was ' +
    'installed. Tell your administrator.',
};
