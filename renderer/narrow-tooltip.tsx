/** Names what the narrow sidebar shows as an icon. */
import { useMediaQuery } from '@mantine/hooks';
import type { ReactElement } from 'react';
import { lazyPart, useLazyPart } from './lazy-part.tsx';

const tooltip = lazyPart(() => import('./right-tooltip.tsx').then((file) => file.RightTooltip));

interface Props {
  readonly label: string;
  readonly children: ReactElement;
}

function Loaded({ label, children }: Props) {
  const { Component } = useLazyPart(tooltip);
  return Component ? <Component label={label}>{children}</Component> : children;
}

/** Shows the label as a tooltip while the sidebar is narrow. */
export function NarrowTooltip({ label, children }: Props) {
  const isNarrow = useMediaQuery('(max-width: 1099px)');
  return isNarrow ? <Loaded label={label}>{children}</Loaded> : children;
}
