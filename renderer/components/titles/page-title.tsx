// The window's title: the page's own, otherwise that of its screen, and the product.
import { useEffect } from 'react';
import { isolate } from './isolate.ts';

const productName = 'Enrichment Desk';
const titles = { screen: '', page: null as string | null };

function show(): void {
  const name = titles.page ?? titles.screen;
  document.title = name ? `${isolate(name)} · ${productName}` : productName;
}

/** Sets the title of the screen: "Jobs · Enrichment Desk". */
export function useScreenTitle(title: string): void {
  useEffect(() => {
    titles.screen = title;
    show();
  }, [title]);
}

/** Replaces the screen's title while it is shown, by the name of a record. Renders nothing. */
export function PageTitle({ title }: { title: string }) {
  useEffect(() => {
    titles.page = title;
    show();
    return () => {
      titles.page = null;
      show();
    };
  }, [title]);
  return null;
}
