// The update policy: whether the app asks for updates, and what it does with an offer. It knows
// neither Electron nor electron-updater.
import { z } from 'zod';
import type { UpdateChannel, UpdateRules } from '../../engine/contract/team/team-config.ts';
import { isSigned } from './feed-signature.ts';

/** Compares versions of the app by the rules of Semantic Versioning 2.0.0, section 11. */
interface Version {
  readonly numbers: readonly number[];
  /** Identifiers of a pre-release, such as `beta` and `2`; empty for a release. */
  readonly before: readonly string[];
}

const pattern =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

function readVersion(text: string): Version | null {
  const [, major, minor, patch, before] = pattern.exec(text) ?? [];
  if (major === undefined) return null;
  return {
    numbers: [major, minor, patch].map(Number),
    before: before === undefined ? [] : before.split('.'),
  };
}

const isNumber = (identifier: string): boolean => /^\d+$/.test(identifier);

function compareIdentifiers(one: string, other: string): number {
  if (isNumber(one) && isNumber(other)) return Number(one) - Number(other);
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

function compareBefore(one: readonly string[], other: readonly string[]): number {
  // A release is newer than its pre-releases.
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [at, identifier] of one.entries()) {
    const against = other[at];
    if (against === undefined) return 1;
    const order = compareIdentifiers(identifier, against);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** Below 0 if `one` is older, above 0 if it is newer; null if one of them is no version. */
export function compareVersions(one: string, other: string): number | null {
  const [left, right] = [readVersion(one), readVersion(other)];
  if (!left || !right) return null;
  const at = left.numbers.findIndex((number, index) => number !== right.numbers[index]);
  if (at >= 0) return (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
  return compareBefore(left.before, right.before);
}

const isPreRelease = (version: string): boolean => (readVersion(version)?.before.length ?? 0) > 0;

/** What the build packed into the app; null for what it did not. */
export interface UpdateBuild {
  /** The address of the feed, which has a folder for each system and processor. */
  readonly feed: string | null;
  /** The public key of the feed: 32 bytes in base64. */
  readonly key: string | null;
}

export interface UpdateChoice {
  readonly isOn: boolean;
  readonly channel: UpdateChannel;
}

export type OffReason = 'not_installed' | 'no_feed' | 'no_key' | 'organisation' | 'user';

export type UpdatePlan =
  | { readonly isOn: false; readonly reason: OffReason }
  | {
      readonly isOn: true;
      readonly feed: string;
      readonly key: string;
      readonly channel: UpdateChannel;
    };

/**
 * Whether and how the app asks for updates. The rules of the organisation are stronger than the
 * build and the user's choice.
 * @param isInstalled whether the app was installed by an installer that can be replaced
 */
export function planUpdates(
  isInstalled: boolean,
  build: UpdateBuild,
  rules: UpdateRules,
  choice: UpdateChoice,
): UpdatePlan {
  const feed = rules.feed ?? build.feed;
  const key = rules.key ?? build.key;
  if (rules.mode === 'off') return { isOn: false, reason: 'organisation' };
  if (!isInstalled) return { isOn: false, reason: 'not_installed' };
  if (feed === null) return { isOn: false, reason: 'no_feed' };
  if (key === null) return { isOn: false, reason: 'no_key' };
  if (!choice.isOn && rules.mode !== 'on') return { isOn: false, reason: 'user' };
  return { isOn: true, feed, key, channel: rules.channel ?? choice.channel };
}

const systemFolders: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'win' };

/** The folder of a feed for a system and processor, as the release lays it out. */
export const feedFolder = (feed: string, platform: NodeJS.Platform, processor: string): string =>
  `${feed.replace(/(?<!\/)\/+$/, '')}/${systemFolders[platform] ?? platform}/${processor}`;

/** An offer of a feed, with the fields that matter here. Others are ignored. */
const OfferSchema = z.object({
  version: z.string().min(1).max(100),
  files: z
    .array(z.object({ url: z.string().min(1), sha512: z.string().min(1) }))
    .min(1)
    .max(50),
  signature: z.string().max(200).optional(),
});

export type RefusalReason = 'malformed' | 'older' | 'wrong_channel' | 'unsigned' | 'bad_signature';

export type Verdict =
  | { readonly verdict: 'take' }
  | { readonly verdict: 'current' }
  | { readonly verdict: 'refuse'; readonly reason: RefusalReason };

const refuse = (reason: RefusalReason): Verdict => ({ verdict: 'refuse', reason });

/**
 * Judges what a feed offers, before anything is downloaded. An older version is never taken: it
 * might have a fault that was repaired, and it could not read newer databases.
 */
export function judgeOffer(
  offered: unknown,
  { current, key, channel }: { current: string; key: string; channel: UpdateChannel },
): Verdict {
  const { data: offer } = OfferSchema.safeParse(offered);
  if (!offer) return refuse('malformed');
  const order = compareVersions(offer.version, current);
  if (order === null) return refuse('malformed');
  if (order === 0) return { verdict: 'current' };
  if (order < 0) return refuse('older');
  if (channel === 'stable' && isPreRelease(offer.version)) return refuse('wrong_channel');
  if (offer.signature === undefined) return refuse('unsigned');
  return isSigned(offer, offer.signature, key) ? { verdict: 'take' } : refuse('bad_signature');
}

const tags = /<\/?[a-z][^<>]*>/gi;
const notesCharactersMax = 10_000;

/** Release notes as text: a list of notes is joined, and markup is removed. */
export function readNotes(notes: unknown): string {
  const list = Array.isArray(notes) ? notes : [{ note: notes }];
  const texts = list.map((one: { version?: unknown; note?: unknown } | null) => {
    const note = typeof one?.note === 'string' ? one.note : '';
    return typeof one?.version === 'string' ? `${one.version}\n${note}` : note;
  });
  return texts.join('\n\n').replaceAll(tags, '').trim().slice(0, notesCharactersMax);
}
