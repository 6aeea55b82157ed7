// Sends a page of the built interface.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { noncePlaceholder, writePagePolicy } from '../contract/page-policy.ts';

/** Sends the page, or another one, with a content security policy and its own nonce. */
export async function sendPage(
  uiDir: string,
  reply: FastifyReply,
  file = 'index.html',
): Promise<FastifyReply> {
  const page = await readFile(join(uiDir, file), 'utf8');
  const nonce = randomBytes(16).toString('base64url');
  return reply
    .code(200)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', writePagePolicy(nonce))
    .send(page.replaceAll(noncePlaceholder, nonce));
}
