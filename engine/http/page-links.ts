/** The `next` and `previous` of a page: absolute addresses at the name by which the caller came. */
import type { FastifyRequest } from 'fastify';

/** What a page was asked for. */
interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Addresses of the pages around one; null where there is none. The other filters of the query stay.
 * @param count entries on all pages together
 */
export function linkPages(
  request: FastifyRequest,
  { limit, offset }: PageRequest,
  count: number,
): { next: string | null; previous: string | null } {
  const base = `http://${request.headers.host ?? 'localhost'}`;
  const linkTo = (to: number) => {
    const url = new URL(request.url, base);
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(to));
    return url.href;
  };
  return {
    next: offset + limit < count ? linkTo(offset + limit) : null,
    previous: offset > 0 ? linkTo(Math.max(0, offset - limit)) : null,
  };
}
