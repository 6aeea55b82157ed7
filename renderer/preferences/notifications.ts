// Notifications of the system while the window is not in front.
import { endStatuses, type StatusData } from '../../engine/contract/jobs/job.ts';
import { findDesktop } from '../api/desktop.ts';
import { countCredits, countOf, showCount } from '../components/numbers.ts';

const storageKey = 'desk-notifications';
/** A job that ends sooner is still being watched. */
const longJobMs = 10_000;
/** Characters of a title that the app's shell accepts. */
const titleMax = 200;

/** Whether the browser lets the page notify; the app always may. */
const isAllowed = (): boolean =>
  findDesktop() !== null || ('Notification' in window && Notification.permission === 'granted');

/** Whether the user wants notifications: in the app by default, in a browser once switched on. */
export function wantsNotifications(): boolean {
  const stored = localStorage.getItem(storageKey);
  return isAllowed() && (stored === null ? findDesktop() !== null : stored === 'on');
}

/** Switches them on or off. Resolves with false if the browser refuses them. */
export async function switchNotifications(on: boolean): Promise<boolean> {
  if (on && !isAllowed() && 'Notification' in window) await Notification.requestPermission();
  const isOn = on && isAllowed();
  localStorage.setItem(storageKey, isOn ? 'on' : 'off');
  return isOn === on;
}

/** Notifies unless the window is in front, once for all tabs. @param path what a click opens */
export function notifyInBackground(title: string, body: string, path = '/'): void {
  if (document.hasFocus() || !wantsNotifications()) return;
  const desktop = findDesktop();
  if (desktop) {
    void desktop.notify({ title: title.slice(0, titleMax), body });
    return;
  }
  const notification = new Notification(title, { body, tag: `${path} ${title}` });
  notification.onclick = () => {
    window.focus();
    location.hash = `#${path}`;
    notification.close();
  };
}

/** Notifies of a job that has ended, if it took long. */
export function notifyOfEnd(job: StatusData): void {
  const { created_at: createdAt, completed_at: completedAt } = job;
  const tookMs = Date.parse(completedAt ?? createdAt) - Date.parse(createdAt);
  if (!endStatuses.includes(job.status) || tookMs < longJobMs) return;
  const rows = `${showCount(job.enriched_rows)} of ${countOf(job.total_rows, 'row')} enriched`;
  notifyInBackground(
    `${job.title || 'Untitled job'}: ${job.status}`,
    job.status === 'completed'
      ? `${rows}, ${countCredits(job.credits_charged)} charged.`
      : 'Nothing was charged.',
    `/jobs/${job.job_id}`,
  );
}
