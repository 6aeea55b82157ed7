// Focusable elements that are not visible. Runs in the page.

/** Returns the focusable elements of the page that are not visible, one line each. */
export function findHiddenStops(): string[] {
  const stops = document.querySelectorAll<HTMLElement>('a[href], button, input, [tabindex]');
  const isReached = (stop: HTMLElement) =>
    stop.tabIndex >= 0 &&
    !stop.matches(':disabled') &&
    stop.checkVisibility({ visibilityProperty: true });
  // Switches and the choices of a row of buttons are drawn by their labels.
  const drawn = (stop: HTMLElement) =>
    (stop instanceof HTMLInputElement && stop.labels?.[0]) || stop;
  const isSeen = (stop: HTMLElement) => drawn(stop).checkVisibility({ opacityProperty: true });
  return [...stops]
    .filter((stop) => isReached(stop) && !isSeen(stop))
    .map((stop) => `hidden-stop: ${stop.outerHTML.slice(0, 200)}`);
}
