/** The rail: where one can go, for which account, what it has, whether the engine answers. */
import { Tooltip, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconAddressBook,
  IconListDetails,
  IconLockOpen2,
  IconPlugConnected,
  IconRadar2,
  IconSettings,
  IconSparkles,
  IconTablePlus,
  IconWallet,
} from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { AccountSwitcher } from './account-switcher.tsx';
import { useAppState } from './api/live.ts';
import { showCredits } from './components/numbers.ts';
import classes from './shell.module.css';

const places = [
  { path: '/', label: 'Enrich', Icon: IconTablePlus },
  { path: '/jobs', label: 'Jobs', Icon: IconListDetails },
  { path: '/directory', label: 'Directory', Icon: IconAddressBook },
  { path: '/pipelines', label: 'Unlock', Icon: IconLockOpen2 },
  { path: '/monitors', label: 'Monitors', Icon: IconRadar2 },
  { path: '/wallet', label: 'Wallet', Icon: IconWallet },
  { path: '/connections', label: 'Connections', Icon: IconPlugConnected },
  { path: '/settings', label: 'Settings', Icon: IconSettings },
] as const;

function Places({ running }: { running: number }) {
  const [location] = useLocation();
  const narrow = useMediaQuery('(max-width: 1099px)');
  const here = (path: string) => (path === '/' ? location === '/' : location.startsWith(path));
  return places.map(({ path, label, Icon }) => (
    <Tooltip key={path} label={label} position="right" disabled={!narrow}>
      <Link href={path} className={classes.link} aria-current={here(path) ? 'page' : undefined}>
        <Icon size={18} stroke={1.7} aria-hidden />
        <span className={classes.label}>{label}</span>
        {path === '/jobs' && running > 0 && (
          <span className={classes.count}>
            {running}
            <VisuallyHidden> running</VisuallyHidden>
          </span>
        )}
      </Link>
    </Tooltip>
  ));
}

function Foot() {
  const { data: state, isError } = useAppState();
  const where = state?.port ? `port ${state.port}` : 'no port';
  const fault = state?.fault ?? null;
  const running = state ? `Engine running, ${where}` : 'Starting …';
  const text = isError ? 'Engine offline' : fault === null ? running : 'Engine restarting';
  return (
    <div className={classes.foot}>
      <AccountSwitcher />
      <dl className={classes.facts}>
        <dt>Available</dt>
        <dd>{state ? showCredits(state.wallet.available) : '–'}</dd>
        <dt>Held</dt>
        <dd>{state ? showCredits(state.wallet.held) : '–'}</dd>
      </dl>
      <div className={classes.engine} title={fault ?? text}>
        <span className={classes.dot} data-off={isError || fault !== null || undefined} />
        <span className={classes.engineText} role="status">
          {text}
        </span>
      </div>
    </div>
  );
}

/** The rail at the left of every screen. */
export function Sidebar() {
  const { data: state } = useAppState();
  return (
    <nav className={classes.rail} aria-label="Screens">
      <div className={classes.brand}>
        <IconSparkles size={22} aria-hidden />
        <span className={classes.label}>Enrichment Desk</span>
      </div>
      <Places running={state?.running_jobs ?? 0} />
      <Foot />
    </nav>
  );
}
