// Accepts files that are dropped anywhere in the window, except on a drop area of a screen.
import { useEffect, useRef, useState } from 'react';
import classes from './drop-anywhere.module.css';
import { useOpenFiles } from './open-files.tsx';

const hasFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true;

/** A screen's own drop area, which takes the file for itself. */
const isOnArea = (event: DragEvent): boolean =>
  event.target instanceof Element && event.target.closest('[data-drop-area]') !== null;

/** Calls `onFiles` for drops. Returns whether files are held over the window, off any drop area. */
function useWindowDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  }, [onFiles]);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Otherwise the browser would leave the page and show the file.
      event.preventDefault();
      setIsOver(!isOnArea(event));
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      setIsOver(false);
      event.preventDefault();
      if (!isOnArea(event)) latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragenter', over);
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragenter', over);
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}

/** The listener and its overlay. For the mouse; the keyboard uses the drop area on Enrich. */
export function DropAnywhere() {
  const isOver = useWindowDrop(useOpenFiles());
  if (!isOver) return null;
  return (
    <div className={classes.overlay} aria-hidden>
      <span className={classes.label}>Drop to open</span>
    </div>
  );
}
