// Parts of the frame that appear later. Their files load when the first screen has its data.
import type { ComponentType } from 'react';
import { whenQuiet } from './api/transport/quiet.ts';
import { lazyPart, useLazyPart } from './lazy-part.tsx';

/** @param importFile imports the file of the part and returns its component */
export function latePart(importFile: () => Promise<ComponentType>) {
  const part = lazyPart(importFile);
  return function LatePart() {
    const { Component } = useLazyPart(part, whenQuiet);
    return Component ? <Component /> : null;
  };
}
