// Updates of the app: asks the feed, downloads what the policy takes, and installs it with the next
// restart that the user asks for.
//
//   off <──configure()──> idle ──check()──> checking ──take──> downloading ──> ready
//                          ^                    │ current           │             │ restart()
//                          ├────────────────────┘                   │             v
//                          ├── refused <── refused, or not the signed file        preparing
//                          └── failed  <── no connection, no backup ──────────────┘  │
//                                                          backup, engine stopped    v
//                                                                               installed
import { EventEmitter } from 'node:events';
import type { UpdateState } from '../desktop-contract.ts';
import {
  feedFolder,
  judgeOffer,
  type OffReason,
  type RefusalReason,
  readNotes,
  type UpdatePlan,
  type Verdict,
} from './update-policy.ts';

const offSentences: Readonly<Record<OffReason, string>> = {
  not_installed: 'Updates are off: this copy of the app was not installed by an installer.',
  no_feed: 'Updates are off: this build has no update address.',
  no_key: 'Updates are off: this build has no key to verify them.',
  organisation: 'Updates are off: your organisation installs them.',
  user: 'Updates are off.',
};

const refusalSentences: Readonly<Record<RefusalReason | 'tampered', string>> = {
  malformed: 'The update server sent an offer that cannot be read. Nothing was installed.',
  older: 'The update server offers an older version. Nothing was installed.',
  wrong_channel: 'The update server offers a test version, but you chose stable ones.',
  unsigned: 'The offered version has no signature. Nothing was installed. Tell your administrator.',
  bad_signature:
    'The signature of the offered version is wrong. Nothing was installed. ' +
    'Tell your administrator.',
  tampered:
    'The downloaded file is not the one that was signed. It was deleted, and nothing was ' +
    'installed. Tell your administrator.',
};

interface Found {
  readonly isUpdateAvailable: boolean;
  readonly updateInfo: { readonly version: string; readonly releaseNotes?: unknown };
}

export interface UpdateClient {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowDowngrade: boolean;
  disableWebInstaller: boolean;
  isUpdateSupported: (offer: never) => boolean | Promise<boolean>;
  setFeedURL(options: { provider: 'generic'; url: string; channel: string }): void;
  checkForUpdates(): Promise<Found | null>;
  downloadUpdate(): Promise<string[]>;
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
  on(event: 'download-progress', listener: (progress: { percent: number }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface UpdateDeps {
  readonly current: string;
  readonly platform: NodeJS.Platform;
  /** The processor, such as x64. */
  readonly processor: string;
  /** Loads electron-updater; only called when updates are on. */
  loadClient(): Promise<UpdateClient>;
  /** Makes an automatic backup of the data. Rejects with a sentence. */
  backUp(): Promise<void>;
  /** Resolves when the batch is written, the engine has ended, and the next start may run. */
  stopEngine(): Promise<void>;
  /** Starts the app again, if the installer could not be started. */
  relaunch(): void;
  now(): Date;
}

const channelFiles = { stable: 'latest', beta: 'beta' } as const;
type Changing = Pick<UpdateState, 'state' | 'version' | 'notes' | 'percent' | 'sentence'>;
const nothing = { version: null, notes: '', percent: null, sentence: null } as const;

export class Updates {
  readonly #deps: UpdateDeps;
  readonly #events = new EventEmitter<{ change: [UpdateState] }>();
  #plan: UpdatePlan = { isOn: false, reason: 'not_installed' };
  #client: UpdateClient | null = null;
  #verdict: Verdict = { verdict: 'current' };
  #checkedAt: string | null = null;
  #isInstalling = false;
  #changing: Changing = { state: 'off', ...nothing };

  constructor(deps: UpdateDeps) {
    this.#deps = deps;
  }

  get state(): UpdateState {
    const plan = this.#plan;
    const channel = plan.isOn ? plan.channel : null;
    return {
      ...this.#changing,
      current: this.#deps.current,
      channel,
      checked_at: this.#checkedAt,
    };
  }

  /** Calls back on every change. */
  onChange(listener: (state: UpdateState) => void): void {
    this.#events.on('change', listener);
  }

  /** Sets whether and how the feed is asked. An update that is ready stays ready. */
  configure(plan: UpdatePlan): void {
    const isSame = JSON.stringify(plan) === JSON.stringify(this.#plan);
    this.#plan = plan;
    if (!plan.isOn) this.#change({ state: 'off', ...nothing, sentence: offSentences[plan.reason] });
    else if (!isSame) this.#change({ state: 'idle', ...nothing });
  }

  /** Asks the feed, and downloads what the policy takes. Never rejects. */
  async check(): Promise<void> {
    const plan = this.#plan;
    const { state } = this.#changing;
    if (!plan.isOn || !['idle', 'failed', 'refused'].includes(state)) return;
    this.#change({ state: 'checking', ...nothing });
    try {
      const client = await this.#prepare(plan);
      const found = await client.checkForUpdates();
      this.#checkedAt = this.#deps.now().toISOString();
      await this.#follow(client, found);
    } catch (error) {
      const { message } = error as Error;
      this.#change({
        state: 'failed',
        ...nothing,
        sentence: `The update check failed: ${message}`,
      });
    }
  }

  /** Makes a backup, lets the batch end, and installs. Without a backup nothing is stopped. */
  async restart(): Promise<void> {
    const ready = this.#changing;
    if (ready.state !== 'ready' || !this.#client) return;
    this.#change({ ...ready, state: 'preparing', sentence: null });
    try {
      await this.#deps.backUp();
    } catch (error) {
      const sentence = `The update waits, as no backup could be made. ${(error as Error).message}`;
      this.#change({ ...ready, sentence });
      return;
    }
    await this.#deps.stopEngine();
    this.#isInstalling = true;
    this.#client.quitAndInstall(true, true);
  }

  /** The engine has ended, so the app starts again as it was. */
  #failInstallation({ message }: Error): void {
    this.#isInstalling = false;
    console.error(`the update could not be installed: ${message}`);
    this.#deps.relaunch();
  }

  #change(changing: Changing): void {
    this.#changing = changing;
    this.#events.emit('change', this.state);
  }

  async #prepare({ feed, key, channel }: UpdatePlan & { isOn: true }): Promise<UpdateClient> {
    const client = this.#client ?? (await this.#open());
    const { current, platform, processor } = this.#deps;
    const url = feedFolder(feed, platform, processor);
    client.setFeedURL({ provider: 'generic', url, channel: channelFiles[channel] });
    // Setting a channel would allow older versions.
    client.allowDowngrade = false;
    client.isUpdateSupported = (offer) => {
      this.#verdict = judgeOffer(offer, { current, key, channel });
      return this.#verdict.verdict === 'take';
    };
    this.#verdict = { verdict: 'current' };
    return client;
  }

  async #open(): Promise<UpdateClient> {
    const client = await this.#deps.loadClient();
    client.autoDownload = false;
    // Only after a backup, and when the user asks for it.
    client.autoInstallOnAppQuit = false;
    client.disableWebInstaller = true;
    client.on('download-progress', ({ percent }) => {
      if (this.#changing.state === 'downloading')
        this.#change({ ...this.#changing, percent: Math.floor(percent) });
    });
    // The methods also reject; only a failed installation is reported by the event alone.
    client.on('error', (error) => {
      if (this.#isInstalling) this.#failInstallation(error);
    });
    this.#client = client;
    return client;
  }

  async #follow(client: UpdateClient, found: Found | null): Promise<void> {
    const verdict = this.#verdict;
    if (verdict.verdict === 'refuse') {
      const sentence = refusalSentences[verdict.reason];
      const version = found?.updateInfo.version ?? null;
      this.#change({ ...nothing, state: 'refused', version, sentence });
      return;
    }
    if (!found?.isUpdateAvailable || verdict.verdict !== 'take') {
      this.#change({ state: 'idle', ...nothing });
      return;
    }
    const { version, releaseNotes } = found.updateInfo;
    const offer = { version, notes: readNotes(releaseNotes), sentence: null };
    this.#change({ state: 'downloading', ...offer, percent: 0 });
    try {
      await client.downloadUpdate();
      this.#change({ state: 'ready', ...offer, percent: null });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_CHECKSUM_MISMATCH') throw error;
      const sentence = refusalSentences.tampered;
      this.#change({ ...nothing, state: 'refused', version, sentence });
    }
  }
}
