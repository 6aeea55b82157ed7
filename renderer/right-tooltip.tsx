// A tooltip at the right of its child. It is in a file of its own, because of its size.
import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

export const RightTooltip = ({ label, children }: { label: string; children: ReactElement }) => (
  <Tooltip label={label} position="right">
    {children}
  </Tooltip>
);
