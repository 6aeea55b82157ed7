// What the desktop app is asked to open: a file, a screen, or a dialog.
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { findDesktop } from './api/desktop.ts';
import { openDialog } from './commands/open-dialog.ts';
import { useOpenFiles } from './screens/enrich/open-files.tsx';

export function DesktopRequests() {
  const openFile = useOpenFiles();
  const latest = useRef(openFile);
  useEffect(() => {
    latest.current = openFile;
  }, [openFile]);
  const [, navigate] = useLocation();
  useEffect(() => {
    const desktop = findDesktop();
    const open = async () => {
      const chosen = await desktop?.openSpreadsheet();
      if (chosen) latest.current(chosen);
    };
    const take = async () => {
      const request = await desktop?.takeRequest();
      if (!request) return;
      if (request.dialog) void open();
      if (request.screen !== undefined) navigate(request.screen);
      if (request.file) latest.current(request.file);
      void take();
    };
    void take();
    return desktop?.onCommand((command) => {
      if (command === 'open-file') void open();
      if (command === 'open-request') void take();
      if (command === 'shortcuts') openDialog('keys');
    });
  }, [navigate]);
  return null;
}
