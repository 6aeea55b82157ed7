// The definition of a provider that is another engine: its hosts, limits and prices come from its
// file, the rest is the public interface of this product.
import { isIP } from 'node:net';
import { type LayerCode, layerCodes, layers } from '../../contract/jobs/layers.ts';
import { deskLimits } from '../../contract/limits/desk-provider.ts';
import type { ProviderField } from '../../contract/provider.ts';
import {
  type DeskFile,
  type DeskTerms,
  type ProviderDefinition,
  ProviderDefinitionSchema,
} from '../../contract/provider-definition.ts';
import { isLoopbackHost, isPublicAddress } from '../../platform/net/public-address.ts';
import { deskFields, layersOf } from './desk-layers.ts';
import { sentColumns } from './desk-requests.ts';

/** The id of the provider that is there before an address is entered. */
export const deskProviderId = 'desk';

/** The interface is that of this product, so there is no other documentation to show. */
const docs = 'https://desk.invalid/docs';
const needs = [
  ['email'],
  ['profile_url'],
  ['first_name', 'last_name', 'company_name'],
  ['first_name', 'last_name', 'company_domain'],
];

/** What is wrong with an address; null if nothing is. */
export function findAddressFault(address: string): string | null {
  if (!URL.canParse(address)) return 'send an address such as https://desk.team.example';
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'send an address that begins with https://';
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return 'send only the host, with a port and a path if it has them';
  if (url.protocol === 'http:' && !isLoopbackHost(url.host))
    return 'http is only for an engine on this machine; use https';
  return null;
}

/** The address without what every engine has: a slash, or the path of the interface. */
export const trimAddress = (address: string): string =>
  new URL(address).href.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '');

/** Where an address is, as far as the address itself says. */
export function findPlace(address: string): 'this_machine' | 'private_network' | 'internet' {
  const { host, hostname } = new URL(address);
  if (isLoopbackHost(host)) return 'this_machine';
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) !== 0 && !isPublicAddress(bare) ? 'private_network' : 'internet';
}

/** The title of a file without one. */
export const defaultTitle = (address: string | null): string =>
  address === null ? 'Another Enrichment Desk' : `Enrichment Desk at ${new URL(address).host}`;

const defaultPrices = Object.fromEntries(
  layers.map(({ code, defaultPrice }) => [code, Number(defaultPrice)]),
) as Record<LayerCode, number>;

/** The most that a field costs beyond the layer that every request has. */
function costOf(field: ProviderField, prices: DeskTerms['prices']): number {
  const beyond = layersOf([field]).filter((code) => code !== 'L1');
  return beyond.reduce((sum, code) => sum + prices[code], 0);
}

export function defineDesk(file: DeskFile): ProviderDefinition {
  const address = file.address === undefined ? null : trimAddress(file.address);
  const url = address === null ? null : new URL(address);
  const prices = { ...defaultPrices, ...file.prices };
  const base = ProviderDefinitionSchema.parse({
    id: file.id,
    title: file.title ?? defaultTitle(address),
    docs,
    hosts: [url?.host ?? 'desk.invalid'],
    ...(url && isLoopbackHost(url.host) && { dev: true }),
    auth: { in: 'header', name: 'Authorization' },
    limits: { perMinute: deskLimits.requestsPerMinute, concurrency: deskLimits.requestsMax },
    deadlineSec: deskLimits.requestSeconds,
    ...(file.keepDays !== undefined && { keepDays: file.keepDays }),
    ops: [
      {
        id: 'enrich',
        gives: deskFields,
        needs,
        batch: { max: deskLimits.rowsMax, wrap: 'rows', byIndex: true },
        // Only the columns of `each` are read: the requests are built by desk-requests.ts.
        request: {
          method: 'POST',
          url: `${address ?? 'https://desk.invalid'}/api/v1/data-enrichment/submit/`,
          each: Object.fromEntries(sentColumns.map((name) => [name, `{{row.${name}}}`])),
        },
        cost: {
          max: {
            row: prices.L1,
            fields: Object.fromEntries(deskFields.map((one) => [one, costOf(one, prices)])),
          },
        },
      },
    ],
  });
  const hosts = url ? [url.host] : [];
  const used = Object.fromEntries(layerCodes.map((code) => [code, prices[code]]));
  const desk = { address, isLocal: file.local === true, prices: used as DeskTerms['prices'] };
  return { ...base, hosts, desk };
}
