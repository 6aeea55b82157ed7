// What the tests of Career Monitor jobs share: a list, a directory and a schedule.
import type { MonitorSchedule } from '../../engine/contract/monitors/monitors.ts';
import { inventName } from '../invented-names.ts';

export const headers = ['First name', 'Last name', 'Company', 'Title'];
/** Field → column of these lists. */
export const mapping = { first_name: 0, last_name: 1, company_name: 2, title: 3 };
/** 0 to length - 1. */
export const count = (length: number) => Array.from({ length }, (_, at) => at);
/** The row of the person with this number. */
export const person = (at: number) => [...inventName(at), 'Acme Widgets', 'Buyer'];
/** The line of the person with this number in the directory. */
export const line = (at: number, company = 'Acme Widgets', title = 'Buyer', current = 1) =>
  `p${at},${inventName(at).join()},${company},${title},,${current}`;
/** Every day at 09:00 UTC. */
export const daily: MonitorSchedule = {
  rhythm: 'daily',
  time: '09:00',
  time_zone: 'UTC',
  weekday: 1,
  month_day: 1,
};
/** A moment, from ISO 8601. */
export const at = (text: string) => new Date(text);
