// Allowed targets of webhooks: https, and http to this machine; private networks and this machine
// only in staging or on hosts that the account allows (docs/webhooks.md).
import { BlockList, isIP } from 'node:net';
import { invalid } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { webhookUrlCharactersMax } from '../contract/limits/webhooks.ts';
import { isPublicAddress } from '../platform/net/public-address.ts';

export interface WebhookPolicy {
  readonly environment: EnvironmentName;
  /** Private hosts that the account allows, in lower case. */
  readonly hosts: readonly string[];
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost');

/** A URL's host without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/**
 * Whether a delivery to a URL may connect to a resolved address of its host. Checked on every
 * attempt, for the address that is connected to, because a name can resolve differently each time.
 */
export function isAllowedAddress(url: URL, address: string, policy: WebhookPolicy): boolean {
  const isAllowedHost = policy.hosts.includes(hostOf(url));
  if (url.protocol === 'http:')
    return (policy.environment === 'staging' || isAllowedHost) && isLoopbackAddress(address);
  if (policy.environment === 'staging' || isPublicAddress(address)) return true;
  return isAllowedHost || policy.hosts.includes(address);
}

/** Whether a URL is of a private network: by its address, or as a host that the account allows. */
export function isLocalHost(url: URL, policy: WebhookPolicy): boolean {
  const host = hostOf(url);
  const isPrivate = isIP(host) !== 0 && !isPublicAddress(host);
  return isPrivate || policy.hosts.includes(host);
}

const refuse = (detail: string) => invalid(`url: ${detail}`);

/** Without spaces and other raw characters. Throws `validation_error` if it is not allowed. */
export function normalizeWebhookUrl(text: string, policy: WebhookPolicy): string {
  const url = URL.parse(text);
  if (!url) throw refuse('this is not a URL. Send one such as https://hooks.example.com/desk.');
  if (url.username || url.password)
    throw refuse('remove user name and password; deliveries are authenticated by their signature.');
  const host = hostOf(url);
  const isLoopback = isLoopbackName(host) || isLoopbackAddress(host);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))
    throw refuse('send an https URL, or an http URL to this machine.');
  const isPrivate = isLoopbackName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (policy.environment === 'live' && isPrivate && !policy.hosts.includes(host))
    throw refuse(
      `${host} is not on the public internet. Allow this host first: in the app under ` +
        'Connections > Webhooks, or with desk webhooks add --allow-host.',
    );
  // Escaped non-ASCII characters take up to nine times the space.
  if (url.href.length > webhookUrlCharactersMax)
    throw refuse(`this is longer than ${webhookUrlCharactersMax.toLocaleString('en')} characters.`);
  return url.href;
}
