/** Whether this system's shortcuts use ⌘. */
export const isMac = (): boolean => /mac/i.test(navigator.platform);
