/** The field in a cell that is written in place. */
import { useLayoutEffect, useRef } from 'react';
import classes from './data-grid.module.css';
import type { CellEdit } from './edit-cells.ts';

/** Enter, Tab and leaving the field write the text; Escape keeps the cell as it is. */
export function CellEditor({
  edit: { typed, onEnd },
  label,
  text,
}: {
  edit: CellEdit;
  label: string;
  text: string;
}) {
  const isOver = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    if (typed === null) field.current?.select();
  }, [typed]);
  const end = (written: string | null) => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(written === text ? null : written);
  };
  return (
    <input
      className={classes.editor}
      aria-label={label}
      ref={field}
      defaultValue={typed ?? text}
      onBlur={(event) => end(event.currentTarget.value)}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') end(null);
        if (event.key !== 'Enter' && event.key !== 'Tab') return;
        event.preventDefault();
        end(event.currentTarget.value);
      }}
    />
  );
}
