// The initials of a company or a data service, as its picture.
import { initialsOf } from '../../engine/contract/company-words.ts';
import classes from './monogram.module.css';

export const Monogram = ({ title, isSmall = false }: { title: string; isSmall?: boolean }) => (
  <span className={classes.monogram} data-small={isSmall || undefined} aria-hidden>
    {initialsOf(title)}
  </span>
);
