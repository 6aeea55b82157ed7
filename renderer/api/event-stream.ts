/** The event stream and what its events change, in a file that loads after the first screen. */
export { listenToEvents } from './events.ts';
export { applyMonitorEvent } from './monitors.ts';
export { applyPipelineEvent } from './pipelines.ts';
