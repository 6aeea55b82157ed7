/** The feed and the key that the build packed into the app (vite.config.ts). */
import type { UpdateBuild } from './update-policy.ts';

declare const __DESK_UPDATES__: UpdateBuild | undefined;

/** From DESK_UPDATE_FEED and DESK_UPDATE_KEY at build time. */
export const updateBuild: UpdateBuild =
  typeof __DESK_UPDATES__ === 'undefined' ? { feed: null, key: null } : __DESK_UPDATES__;
