/** Parts of the frame that appear later. Their files load after the first screen. */
import type { ComponentType } from 'react';
import { lazyPart, useLazyPart } from './lazy-part.tsx';

/** @param importFile imports the file of the part and returns its component */
export function latePart(importFile: () => Promise<ComponentType>) {
  const part = lazyPart(importFile);
  return function LatePart() {
    const { Component } = useLazyPart(part);
    return Component ? <Component /> : null;
  };
}
