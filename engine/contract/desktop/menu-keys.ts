// The commands of the desktop app's menu with their keys, for the menu and for the help.

/** `accelerator` is Electron's text; `keys` are as the help shows them, `Mod` is Ctrl or ⌘. */
export const menuKeys = {
  open: { accelerator: 'CmdOrCtrl+O', keys: ['Mod', 'O'], does: 'Open a spreadsheet' },
  settings: { accelerator: 'CmdOrCtrl+,', keys: ['Mod', ','], does: 'Settings' },
  enrich: { accelerator: 'CmdOrCtrl+1', keys: ['Mod', '1'], does: 'Enrich' },
  jobs: { accelerator: 'CmdOrCtrl+2', keys: ['Mod', '2'], does: 'Jobs' },
  directory: { accelerator: 'CmdOrCtrl+3', keys: ['Mod', '3'], does: 'Directory' },
  wallet: { accelerator: 'CmdOrCtrl+4', keys: ['Mod', '4'], does: 'Wallet' },
  connections: { accelerator: 'CmdOrCtrl+5', keys: ['Mod', '5'], does: 'Connections' },
  zoomIn: { accelerator: 'CmdOrCtrl+Plus', keys: ['Mod', '+'], does: 'Zoom in' },
  zoomOut: { accelerator: 'CmdOrCtrl+-', keys: ['Mod', '-'], does: 'Zoom out' },
  zoomReset: { accelerator: 'CmdOrCtrl+0', keys: ['Mod', '0'], does: 'Actual size' },
  close: { accelerator: 'CmdOrCtrl+W', keys: ['Mod', 'W'], does: 'Close the window' },
  quit: { accelerator: 'CmdOrCtrl+Q', keys: ['Mod', 'Q'], does: 'Quit' },
} as const satisfies Record<string, { accelerator: string; keys: readonly string[]; does: string }>;
