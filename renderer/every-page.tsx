// What every page has: the place of short messages, and the focus of what goes away.
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';

const isUsable = (one: HTMLElement): boolean =>
  one.isConnected && !one.matches(':disabled') && !one.closest('[inert]') && one.checkVisibility();

const namedParts =
  '[role=dialog], [role=alertdialog], section[aria-label], section[aria-labelledby]';

function listAround(one: HTMLElement): HTMLElement[] {
  const around: HTMLElement[] = [];
  for (let at = one.parentElement; at; at = at.parentElement) around.push(at);
  return around;
}

interface Left {
  readonly control: HTMLElement;
  readonly around: readonly HTMLElement[];
}

/**
 * The focus of a control that goes away, or that cannot be used, moves to the named part around it,
 * else to what opened the dialog that it was in, else to the title of the screen. A control that
 * can be used again gets it back.
 */
function useKeptFocus() {
  useEffect(() => {
    let last: Left | null = null;
    /** The last one that was in no dialog. */
    let home: HTMLElement | null = null;
    let moved: (Left & { readonly to: HTMLElement }) | null = null;
    const remember = ({ target }: Pick<FocusEvent, 'target'>) => {
      if (!(target instanceof HTMLElement) || target === document.body) return;
      if (target !== moved?.to) moved = null;
      last = { control: target, around: listAround(target) };
      if (!target.closest('[data-portal]')) home = target;
    };
    const findPlace = ({ control, around }: Left): HTMLElement | null => {
      if (isUsable(control)) return control;
      const part = around.find((one) => one.matches(namedParts) && isUsable(one));
      if (part) return part;
      const screen = document.querySelector('main');
      if (home && home !== control && home !== screen && isUsable(home)) return home;
      return screen?.querySelector('h1') ?? screen;
    };
    const check = () => {
      const { activeElement: active } = document;
      const isNowhere = active === document.body;
      const left = moved ?? last;
      if (!left || !(isNowhere || active === moved?.to || active === left.control)) return;
      if (left === last && isUsable(last.control)) return;
      const to = findPlace(left);
      if (!to || to === active) return;
      if (to.tabIndex < 0) to.tabIndex = -1;
      moved = { ...left, to };
      to.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(check);
    const later = ({ relatedTarget }: FocusEvent) => relatedTarget ?? setTimeout(check);
    remember({ target: document.activeElement });
    // What was used before this was loaded is gone.
    if (!last && navigator.userActivation.hasBeenActive)
      last = { control: document.createElement('a'), around: [] };
    check();
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ['disabled', 'inert'],
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', later);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', later);
    };
  }, []);
}

export function EveryPage() {
  useKeptFocus();
  // Away from the buttons of screens.
  return <Notifications position="bottom-left" />;
}
