// Decides where a window with a stored position opens on the current screens.
import type { Rectangle } from './shell-state.ts';

/** The window's default and minimum size, in device-independent pixels. */
export const windowSize = { width: 1280, height: 800, minWidth: 960, minHeight: 640 } as const;

/** How much of the window's top must be on a screen so that the user can move it. */
const grip = { width: 120, height: 40 };

const isReachable = (bounds: Rectangle, area: Rectangle): boolean =>
  bounds.x + bounds.width >= area.x + grip.width &&
  bounds.x <= area.x + area.width - grip.width &&
  bounds.y >= area.y &&
  bounds.y <= area.y + area.height - grip.height;

/**
 * The bounds to open with: the stored ones if their top is still on a screen, otherwise the default
 * size without a position, so that the system centres the window.
 */
export function fitBounds(
  remembered: Rectangle | null,
  workAreas: readonly Rectangle[],
): { x?: number; y?: number; width: number; height: number } {
  if (remembered === null || !workAreas.some((area) => isReachable(remembered, area)))
    return { width: windowSize.width, height: windowSize.height };
  return {
    x: remembered.x,
    y: remembered.y,
    width: Math.max(remembered.width, windowSize.minWidth),
    height: Math.max(remembered.height, windowSize.minHeight),
  };
}
