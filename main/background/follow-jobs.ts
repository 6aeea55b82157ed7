/** Shows the jobs of the engine on the taskbar or dock, and notifies of ends without a window. */
import { Notification } from 'electron';
import type { EngineProcess } from '../engine-process.ts';
import { findWindow } from '../window.ts';
import { RunningJobs, watchEvents } from './job-watch.ts';

/** Follows the jobs while the engine runs. */
export function followJobs(engine: EngineProcess, show: () => void): void {
  const jobs = new RunningJobs();
  let watching: AbortController | null = null;
  // Below 0 there is no bar.
  const showProgress = () => findWindow()?.setProgressBar(jobs.progress ?? -1);
  const take = (event: unknown) => {
    const end = jobs.take(event);
    showProgress();
    if (!end || findWindow() || !Notification.isSupported()) return;
    const notification = new Notification({ title: end.title, body: end.body });
    notification.on('click', show);
    notification.show();
  };
  engine.onChange((state) => {
    watching?.abort();
    watching = null;
    jobs.clear();
    showProgress();
    if (state.name !== 'ready') return;
    watching = new AbortController();
    void watchEvents(state, take, watching.signal);
  });
}
