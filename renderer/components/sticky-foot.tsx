// The foot of a form, a dialog or a page: its one action stays in sight while it scrolls.
import type { ReactNode } from 'react';
import classes from './sticky-foot.module.css';

export const StickyFoot = ({
  label,
  above,
  isOfPage = false,
  className = '',
  children,
}: {
  /** Accessible name; without one the foot is no region. */
  label?: string;
  /** What must be read before the action: the price, what prevents it, or why it failed. */
  above?: ReactNode;
  isOfPage?: boolean;
  className?: string | undefined;
  children: ReactNode;
}) => (
  <section
    aria-label={label}
    className={`${classes.foot} ${className}`}
    data-page={isOfPage || undefined}
  >
    <div className={classes.above}>{above}</div>
    {children}
  </section>
);
