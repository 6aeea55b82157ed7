/** What can be done with one row of a job: by the second button of the pointer, or by its key. */
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBan,
  IconCopy,
  IconDots,
  IconExternalLink,
  IconLayoutSidebarRight,
  IconUserQuestion,
} from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { MenuPlace } from '../../components/data-grid/data-grid.tsx';
import classes from './outcome-bar.module.css';
import { webAddress } from './value-actions.tsx';

/** The button at the end of the active row's head. */
export const RowMenuButton = ({
  row,
  onRowMenu,
}: {
  row: number;
  onRowMenu: (place: MenuPlace) => void;
}) => (
  <ActionIcon
    size={24}
    ml="auto"
    variant="subtle"
    color="gray"
    tabIndex={-1}
    aria-label={`Menu of row ${row + 1}`}
    aria-haspopup="menu"
    onClick={(event) => {
      event.stopPropagation();
      const box = event.currentTarget.getBoundingClientRect();
      onRowMenu({ row, x: box.left, y: box.bottom });
    }}
  >
    <IconDots size={16} />
  </ActionIcon>
);

const profileOf = (data: GridRow | undefined): string | null =>
  webAddress(data?.result?.enriched_fields['Profile URL'] ?? '');

/** The menu; closed while `place` is null. The focus returns to the grid. */
export function RowMenu({
  jobId,
  place,
  data,
  onClose,
  onOpen,
  onCopy,
  onSuppress,
}: {
  jobId: string;
  place: MenuPlace | null;
  data: GridRow | undefined;
  onClose: () => void;
  onOpen: (row: number) => void;
  onCopy: (row: number) => void;
  /** Null if the row names no person. */
  onSuppress: ((row: number) => void) | null;
}) {
  const [, navigate] = useLocation();
  const profile = profileOf(data);
  const isOpenRow = data?.result?.reason === 'ambiguous';
  const row = place?.row ?? 0;
  const close = () => {
    onClose();
    document.querySelector<HTMLElement>('[role=grid]')?.focus();
  };
  return (
    <Menu
      opened={place !== null}
      onClose={close}
      position="bottom-start"
      transitionProps={{ duration: 80 }}
    >
      <Menu.Target>
        <button
          type="button"
          aria-label="Menu of the row"
          tabIndex={-1}
          className={classes.rowMenuAnchor}
          style={{ left: place?.x ?? 0, top: place?.y ?? 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label="Menu of the row">
        <Menu.Item
          leftSection={<IconLayoutSidebarRight size={16} aria-hidden />}
          onClick={() => onOpen(row)}
        >
          Open details
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => onCopy(row)}>
          Copy row
        </Menu.Item>
        {isOpenRow && (
          <Menu.Item
            leftSection={<IconUserQuestion size={16} aria-hidden />}
            onClick={() => navigate(`/jobs/${jobId}/review`)}
          >
            Review
          </Menu.Item>
        )}
        {profile && (
          <Menu.Item
            component="a"
            href={profile}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            Open profile
          </Menu.Item>
        )}
        {onSuppress && (
          <Menu.Item
            leftSection={<IconBan size={16} aria-hidden />}
            onClick={() => onSuppress(row)}
          >
            Suppress…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
