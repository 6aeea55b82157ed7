// The tabs of Connections, which the screen of data services has too.
import { LinkTabs } from '../../components/address/link-tabs.tsx';

const tabs = {
  api: { label: 'API', path: '/connections' },
  assistants: { label: 'Assistants', path: '/connections/assistants' },
  services: { label: 'Data services', path: '/connections/providers' },
  webhooks: { label: 'Webhooks', path: '/connections/webhooks' },
  requests: { label: 'Requests', path: '/connections/requests' },
  team: { label: 'Team directory', path: '/connections/team-directory' },
} as const;

export const ConnectionTabs = ({ current }: { current: keyof typeof tabs }) => (
  <LinkTabs label="Connections" tabs={tabs} current={current} />
);
