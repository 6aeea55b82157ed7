/** The initials of a data service, as its picture. */
import classes from './providers.module.css';

/** "People Data Labs" → "PD", "Hunter" → "H". */
function takeInitials(title: string): string {
  const words = title.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map(([first = '']) => first)
    .join('')
    .toUpperCase();
}

export const Monogram = ({ title }: { title: string }) => (
  <span className={classes.monogram} aria-hidden>
    {takeInitials(title)}
  </span>
);
