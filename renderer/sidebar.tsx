// The sidebar: links to screens, the account, balances, and whether the engine answers.
import { Kbd, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconHelpCircle, IconSearch, IconSparkles } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import type { AppState } from '../engine/contract/engine.ts';
import { useAppState, useIsOffline } from './api/live.ts';
import { isMac } from './commands/is-mac.ts';
import { openDialog } from './commands/open-dialog.ts';
import { compactCredits, showCredits } from './components/numbers.ts';
import { latePart } from './late-part.tsx';
import { lazyPart, useLazyPart } from './lazy-part.tsx';
import { sidebarScreens } from './screen-table.tsx';
import classes from './shell.module.css';

const tooltip = lazyPart(() => import('./right-tooltip.tsx').then((file) => file.RightTooltip));

interface Props {
  readonly label: string;
  readonly children: ReactElement;
}

function Loaded({ label, children }: Props) {
  const { Component } = useLazyPart(tooltip);
  return Component ? <Component label={label}>{children}</Component> : children;
}

function NarrowTooltip({ label, children }: Props) {
  const isNarrow = useMediaQuery('(max-width: 1099px)');
  return isNarrow ? <Loaded label={label}>{children}</Loaded> : children;
}

const AccountSwitcher = latePart(() =>
  import('./account-switcher.tsx').then((file) => file.AccountSwitcher),
);

function Links({ state }: { state: AppState | undefined }) {
  const [location] = useLocation();
  const here = (path: string) => (path === '/' ? location === '/' : location.startsWith(path));
  return sidebarScreens.map(({ path, title, Icon, countRunning }) => {
    const running = (state && countRunning?.(state)) ?? 0;
    return (
      <NarrowTooltip key={path} label={title}>
        <Link href={path} className={classes.link} aria-current={here(path) ? 'page' : undefined}>
          <Icon size={18} stroke={1.7} aria-hidden />
          <span className={classes.label}>{title}</span>
          {running > 0 && (
            <span className={classes.count}>
              {running}
              <VisuallyHidden> running</VisuallyHidden>
            </span>
          )}
        </Link>
      </NarrowTooltip>
    );
  });
}

function Foot() {
  const { data: state } = useAppState();
  const isOffline = useIsOffline();
  const where = state?.port ? `port ${state.port}` : 'no port';
  const fault = state?.fault ?? null;
  const running = state ? `Engine running, ${where}` : 'Starting …';
  const text = isOffline ? 'Engine offline' : fault === null ? running : 'Engine restarting';
  return (
    <div className={classes.foot}>
      <AccountSwitcher />
      {/* The narrow sidebar has no room for the list, but screen readers still get it. */}
      <span className={classes.shortBalance} title="Available credits" aria-hidden>
        {state?.account.has_budget && compactCredits(state.wallet.available)}
      </span>
      {state?.account.has_budget && (
        <dl className={classes.facts}>
          <dt>Available</dt>
          <dd>{showCredits(state.wallet.available)}</dd>
          <dt>Reserved</dt>
          <dd>{showCredits(state.wallet.held)}</dd>
        </dl>
      )}
      <div className={classes.engine} title={fault ?? text}>
        <span className={classes.dot} data-off={isOffline || fault !== null || undefined} />
        <span className={classes.engineText} role="status">
          {text}
        </span>
      </div>
    </div>
  );
}

function Tools() {
  return (
    <div className={classes.tools}>
      <NarrowTooltip label="Commands">
        <button
          type="button"
          className={classes.find}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => openDialog('commands')}
        >
          <IconSearch size={16} stroke={1.7} aria-hidden />
          <span className={classes.label}>Commands</span>
          <Kbd size="xs" className={classes.findKeys} aria-hidden>
            {isMac() ? '⌘ K' : 'Ctrl K'}
          </Kbd>
        </button>
      </NarrowTooltip>
      <Link href="/help" className={classes.help} aria-label="Help" title="Help">
        <IconHelpCircle size={18} stroke={1.7} aria-hidden />
      </Link>
    </div>
  );
}

export function Sidebar() {
  const { data: state } = useAppState();
  return (
    <nav className={classes.sidebar} aria-label="Screens">
      <div className={classes.brand}>
        <IconSparkles size={22} aria-hidden />
        <span className={classes.label}>Enrichment Desk</span>
      </div>
      <Tools />
      <Links state={state} />
      <Foot />
    </nav>
  );
}
