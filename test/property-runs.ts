/** How often `npm run test:full`, which has new seeds, and `npm test` try a slow property. */
export const runsOf = (full: number): number =>
  process.env.DESK_TEST_SEED === 'random' ? full : Math.ceil(full / 4);
