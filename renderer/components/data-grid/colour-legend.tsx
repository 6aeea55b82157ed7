// What the colours of a grid's cells say, on request.
import { ActionIcon, Popover } from '@mantine/core';
import { IconPalette } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Caption } from '../text.tsx';
import classes from './data-grid.module.css';

export interface ColourMeaning {
  readonly word: string;
  readonly meaning: string;
}

export const ColourLegend = ({ tones }: { tones: Readonly<Record<string, ColourMeaning>> }) => (
  <Popover position="bottom-end" trapFocus returnFocus withRoles transitionProps={{ duration: 80 }}>
    <Popover.Target>
      <ActionIcon variant="default" size={30} aria-label="Colours of cells">
        <IconPalette size={16} aria-hidden />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown aria-label="Colours of cells" p="md" tabIndex={-1}>
      <dl className={classes.legend}>
        {Object.entries(tones).map(([tone, { word, meaning }]) => (
          <Fragment key={tone}>
            <dt className={classes.tone} data-tone={tone}>
              {word}
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
      <Caption mt="sm">Point at a cell for its source.</Caption>
    </Popover.Dropdown>
  </Popover>
);
