// Connects updates to Electron: when the feed is asked, and how the app restarts.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { z } from 'zod';
import {
  updateCheckDelayMs,
  updateCheckIntervalMs,
} from '../../engine/contract/limits/platform.ts';
import type { UpdateRules } from '../../engine/contract/team/team-config.ts';
import type { UpdateChoice } from '../desktop-contract.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { EngineAddress } from '../engine-proxy.ts';
import { handOver, relaunch } from '../relaunch.ts';
import { readShellState, writeShellState } from '../shell-state.ts';
import { planUpdates, type UpdateBuild } from './update-policy.ts';
import { type UpdateClient, Updates } from './updates.ts';

const FailureSchema = z.object({ detail: z.string() });

/** Makes a backup of the running engine's data. Rejects with a sentence for the user. */
async function requestBackup({ url, token }: EngineAddress): Promise<void> {
  const answer = await fetch(new URL('/app/v1/backups', url), {
    method: 'POST',
    headers: { 'x-desk-session': token, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'update' }),
  });
  if (answer.ok) return;
  const { data } = FailureSchema.safeParse(await answer.json().catch(() => null));
  throw new Error(data?.detail ?? `The engine answered with ${answer.status}.`);
}

declare const __DESK_UPDATES__: UpdateBuild | undefined;

/** The feed and the key of the build: DESK_UPDATE_FEED, DESK_UPDATE_KEY (vite.config.ts). */
const updateBuild: UpdateBuild =
  typeof __DESK_UPDATES__ === 'undefined' ? { feed: null, key: null } : __DESK_UPDATES__;

/** Whether an installer that can be replaced installed the app. */
function isInstalled(): boolean {
  if (!app.isPackaged) return false;
  if (process.platform !== 'linux') return true;
  return (
    process.env.APPIMAGE !== undefined || existsSync(join(process.resourcesPath, 'package-type'))
  );
}

/** Names the cache of downloads. A build without a feed has none. */
function findConfig(): string {
  const packed = join(process.resourcesPath, 'app-update.yml');
  if (existsSync(packed)) return packed;
  const own = join(app.getPath('userData'), 'app-update.yml');
  writeFileSync(own, 'updaterCacheDirName: enrichment-desk-updater\n', { mode: 0o600 });
  return own;
}

async function loadClient(): Promise<UpdateClient> {
  const { autoUpdater } = await import('electron-updater');
  autoUpdater.logger = null;
  autoUpdater.updateConfigPath = findConfig();
  return autoUpdater as unknown as UpdateClient;
}

/** The updates, with the user's choice. */
export interface AppUpdates {
  readonly updates: Updates;
  readonly choice: UpdateChoice;
  choose(choice: UpdateChoice): void;
}

/** Sets up updates. The feed is checked once the engine has sent the organisation's rules. */
export function setupUpdates(engine: EngineProcess): AppUpdates {
  const folder = app.getPath('userData');
  let rules: UpdateRules | null = null;
  const updates = new Updates({
    current: app.getVersion(),
    platform: process.platform,
    processor: process.arch,
    loadClient,
    backUp: async () => requestBackup(await engine.whenReady()),
    stopEngine: () => handOver(engine),
    relaunch: () => relaunch(),
    now: () => new Date(),
  });
  const configure = () => {
    const choice = readShellState(folder).updates;
    if (rules) updates.configure(planUpdates(isInstalled(), updateBuild, rules, choice));
  };
  engine.onChange((state) => {
    if (state.name !== 'ready') return;
    const isFirst = rules === null;
    rules = state.updateRules;
    configure();
    if (!isFirst) return;
    setTimeout(() => void updates.check(), updateCheckDelayMs).unref();
    setInterval(() => void updates.check(), updateCheckIntervalMs).unref();
  });
  return {
    updates,
    get choice() {
      return readShellState(folder).updates;
    },
    choose(choice) {
      writeShellState(folder, { ...readShellState(folder), updates: choice });
      configure();
    },
  };
}
