/**
 * Where webhooks may go: https, http to this machine in staging alone, and to private networks only
 * in staging or where the account allows the host (docs/rules.md, "Webhooks").
 */
import { BlockList, isIP } from 'node:net';
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { webhookUrlCharactersMax } from '../contract/limits/webhooks.ts';
import { isPublicAddress } from '../platform/net/public-address.ts';

/** Whose rules apply. */
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
 * Whether a delivery to a URL may connect to an address that its host turned out to have. Asked at
 * every attempt, of the very address that is connected to: what a name meant before counts nothing.
 */
export function isAllowedAddress(url: URL, address: string, policy: WebhookPolicy): boolean {
  if (url.protocol === 'http:')
    return policy.environment === 'staging' && isLoopbackAddress(address);
  if (policy.environment === 'staging' || isPublicAddress(address)) return true;
  return policy.hosts.includes(hostOf(url)) || policy.hosts.includes(address);
}

const refuse = (detail: string) => new EngineError('validation_error', `url: ${detail}`);

/**
 * The address of a new webhook in its normal form: without spaces, line breaks and other raw
 * characters. Throws `validation_error` if the rules do not allow it.
 */
export function normalizeWebhookUrl(text: string, policy: WebhookPolicy): string {
  const url = URL.parse(text);
  if (!url) throw refuse('this is no URL. Send one such as https://hooks.example.com/desk.');
  if (url.username || url.password)
    throw refuse('leave user name and password out; deliveries are known by their signature.');
  const host = hostOf(url);
  const isLoopback = isLoopbackName(host) || isLoopbackAddress(host);
  const isStagingHttp = url.protocol === 'http:' && policy.environment === 'staging' && isLoopback;
  if (url.protocol !== 'https:' && !isStagingHttp)
    throw refuse(
      policy.environment === 'staging'
        ? 'send an https address, or http to this machine.'
        : 'send an https address.',
    );
  const isPrivate = isLoopbackName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (policy.environment === 'live' && isPrivate && !policy.hosts.includes(host))
    throw refuse(
      `${host} is not on the public internet. Allow this host under Connections > Webhooks first.`,
    );
  // Characters that are not ASCII take up to nine times the space.
  if (url.href.length > webhookUrlCharactersMax)
    throw refuse(`this is longer than ${webhookUrlCharactersMax.toLocaleString('en')} characters.`);
  return url.href;
}
