/** Controls that commands of the palette press or show, wherever they are on the page. */

const waitMaxMs = 10_000;

/** The control with `data-command={name}`, if the page has it. */
export const findControl = (name: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-command="${name}"]`);

/** Shows a control; a button is pressed, and a part of the screen gets the focus. */
function use(control: HTMLElement): void {
  control.scrollIntoView({ block: 'start' });
  if (control instanceof HTMLButtonElement || control instanceof HTMLAnchorElement) {
    control.focus();
    control.click();
    return;
  }
  control.tabIndex = -1;
  control.focus({ preventScroll: true });
}

/** Uses a control, now or once its screen has shown it. */
export function pressControl(name: string): void {
  const present = findControl(name);
  if (present) {
    use(present);
    return;
  }
  const observer = new MutationObserver(() => {
    const control = findControl(name);
    if (!control) return;
    stop();
    use(control);
  });
  const timer = setTimeout(() => stop(), waitMaxMs);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
}
