// What can be done with one row of a job: by the second button of the pointer, or by its key.
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBan,
  IconCopy,
  IconDots,
  IconExternalLink,
  IconLayoutSidebarRight,
} from '@tabler/icons-react';
import type { GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { MenuPlace } from '../../components/data-grid/data-grid.tsx';
import { webAddress } from '../../components/web-address.ts';
import classes from './outcome-bar.module.css';

interface RowMenuButtonProps {
  row: number;
  onRowMenu: (place: MenuPlace) => void;
}

export const RowMenuButton = ({ row, onRowMenu }: RowMenuButtonProps) => (
  <ActionIcon
    size={24}
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

interface RowMenuProps {
  readonly place: MenuPlace | null;
  readonly data: GridRow | undefined;
  readonly onClose: () => void;
  readonly onOpen: (row: number) => void;
  readonly onCopy: (row: number) => void;
  /** Null if the row names no person. */
  readonly onSuppress: ((row: number) => void) | null;
}

function RowMenuItems({ place, data, onOpen, onCopy, onSuppress }: RowMenuProps) {
  const row = place?.row ?? 0;
  const profile = profileOf(data);
  const items = [
    { label: 'Open details', Icon: IconLayoutSidebarRight, act: () => onOpen(row) },
    { label: 'Copy row', Icon: IconCopy, act: () => onCopy(row) },
    ...(onSuppress ? [{ label: 'Suppress…', Icon: IconBan, act: () => onSuppress(row) }] : []),
  ];
  return (
    <>
      {items.map(({ label, Icon, act }) => (
        <Menu.Item key={label} leftSection={<Icon size={16} aria-hidden />} onClick={act}>
          {label}
        </Menu.Item>
      ))}
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
    </>
  );
}

/** The menu; closed while `place` is null. The focus returns to the grid. */
export function RowMenu(props: RowMenuProps) {
  const { place, onClose } = props;
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
        <RowMenuItems {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}
