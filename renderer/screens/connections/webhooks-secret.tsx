/** A webhook's secret, shown this once: after it was registered, or got another. */
import { ShownOnce } from './shown-once.tsx';

/** The secret, and what it is for. */
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
