// Screens in files of their own. Until a screen is loaded, its shape is shown.
import { Skeleton } from '@mantine/core';
import type { ComponentType, JSX } from 'react';
import { ErrorPanel } from './components/error-panel.tsx';
import { Page } from './components/page.tsx';
import { lazyPart, useLazyPart } from './lazy-part.tsx';
import classes from './shell.module.css';

export interface LazyScreen<Props> {
  (props: Props): JSX.Element;
  load(): Promise<unknown>;
}

function ScreenShape() {
  return (
    <div className={classes.shape} aria-busy>
      <Skeleton height={28} width={180} />
      <Skeleton height={96} />
      <Skeleton height={240} />
    </div>
  );
}

/** @param importFile imports the file of the screen and returns its component */
export function lazyScreen<Props extends object>(
  importFile: () => Promise<ComponentType<Props>>,
): LazyScreen<Props> {
  const part = lazyPart(importFile);
  const Screen = (props: Props) => {
    const { Component, error, load } = useLazyPart(part);
    if (Component) return <Component {...props} />;
    if (error === null) return <ScreenShape />;
    return (
      <Page title="Screen not loaded">
        <ErrorPanel title="This screen did not load" error={error} onRetry={load} />
      </Page>
    );
  };
  return Object.assign(Screen, { load: part.load });
}
