// A webhook's secret, shown once after its registration or rotation.
import { ShownOnce } from './shown-once.tsx';

export const SecretShownOnce = (props: {
  secret: string;
  sentence: string;
  onKept: () => void;
}) => (
  <ShownOnce
    {...props}
    name="secret"
    usage="Deliveries are signed with the whole text, whsec_ included, in X-Service-Signature."
  />
);
