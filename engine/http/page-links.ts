// `next` and `previous` of a page: absolute URLs on the host that the caller used.
import type { FastifyRequest } from 'fastify';
import { baseUrlOf } from './guards.ts';

interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** URLs of the pages around, with the other query parameters. @param count of all entries */
export function linkPages(
  request: FastifyRequest,
  { limit, offset }: PageRequest,
  count: number,
): { next: string | null; previous: string | null } {
  const base = baseUrlOf(request);
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
