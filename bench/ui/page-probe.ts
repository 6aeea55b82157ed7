// What runs inside a measured page: when it is useful, its long tasks, its frames.
import type { Page } from 'playwright-core';

interface Probe {
  /** Milliseconds from the start of the navigation to the first useful frame. */
  usefulAt: number | null;
  /** Milliseconds of each task over 50 ms since the last `takeLongTasks`. */
  longTasks: number[];
}

declare global {
  var deskProbe: Probe;
}

/**
 * Observes a page from its start. A page is useful as soon as a frame shows the heading of its
 * screen and no placeholder.
 */
export async function installProbe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const probe: Probe = { usefulAt: null, longTasks: [] };
    globalThis.deskProbe = probe;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) probe.longTasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
    const isUseful = () => {
      const screen = document.getElementById('screen') ?? document.body;
      const grid = screen.querySelector('[role=grid]');
      return (
        screen.querySelector('h1') !== null &&
        screen.querySelector('[aria-busy=true], .mantine-Skeleton-root') === null &&
        (grid === null || (grid.querySelector('[role=gridcell]')?.textContent ?? '') !== '')
      );
    };
    let wasUseful = false;
    const look = () => {
      // The frame in which it became useful has been painted now.
      if (wasUseful) probe.usefulAt = performance.now();
      else requestAnimationFrame(look);
      wasUseful = isUseful();
    };
    requestAnimationFrame(look);
  });
}

/** Milliseconds until the page was useful. */
export async function readUsefulPaint(page: Page): Promise<number> {
  await page.waitForFunction(() => globalThis.deskProbe?.usefulAt !== null);
  return page.evaluate(() => globalThis.deskProbe.usefulAt ?? Number.NaN);
}

/** The tasks over 50 ms since the last call, in milliseconds. */
export function takeLongTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => globalThis.deskProbe.longTasks.splice(0));
}

/** Frames while scrolling. */
export interface ScrollFigures {
  readonly frames: number;
  readonly framesPerSecond: number;
  /** The share of frames that showed a cell without its value. */
  readonly waitingShare: number;
}

/** Scrolls an element by 400 px a frame for a while. */
export function scrollSteadily(
  page: Page,
  selector: string,
  durationMs: number,
): Promise<ScrollFigures> {
  return page.evaluate(
    async ([target, duration]: [string, number]) => {
      const element = document.querySelector(target);
      if (!element) throw new Error(`there is no ${target}`);
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const isWaiting = () =>
        [...element.querySelectorAll('[role=gridcell] > span:only-child')].some(
          (one) => one.textContent === '',
        );
      let frames = 0;
      let waiting = 0;
      const startedAt = await nextFrame();
      let now = startedAt;
      while (now - startedAt < duration) {
        element.scrollTop += 400;
        now = await nextFrame();
        frames += 1;
        if (isWaiting()) waiting += 1;
      }
      return {
        frames,
        framesPerSecond: (frames * 1000) / (now - startedAt),
        waitingShare: waiting / frames,
      };
    },
    [selector, durationMs] as [string, number],
  );
}
