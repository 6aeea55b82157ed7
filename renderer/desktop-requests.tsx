/** What the desktop app is asked to open: a file, a screen, or a dialog. */
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { findDesktop } from './api/desktop.ts';
import { openDialog } from './commands/open-dialog.ts';
import { useFlow } from './screens/enrich/flow.tsx';

/** Handles what the desktop app is asked to open, on any screen. */
export function DesktopRequests() {
  const { actions } = useFlow();
  const [, navigate] = useLocation();
  useEffect(() => {
    const desktop = findDesktop();
    const open = async () => {
      const chosen = await desktop?.openSpreadsheet();
      if (!chosen) return;
      navigate('/');
      await actions.choose(chosen);
    };
    const take = async () => {
      const request = await desktop?.takeRequest();
      if (!request) return;
      if (request.dialog) void open();
      if (request.screen !== undefined) navigate(request.screen);
      if (request.file) {
        navigate('/');
        await actions.choose(request.file);
      }
      void take();
    };
    void take();
    return desktop?.onCommand((command) => {
      if (command === 'open-file') void open();
      if (command === 'open-request') void take();
      if (command === 'shortcuts') openDialog('keys');
    });
  }, [actions, navigate]);
  return null;
}
