/** Requests for tool-server clients: limits, activity, approvals, list folders. */
import { z } from 'zod';
import { KeySchema } from '../../engine/contract/accounts.ts';
import {
  AssistantCallSchema,
  type AssistantChangeSchema,
  AssistantsSchema,
  ListFolderSchema,
} from '../../engine/contract/assistants/assistants.ts';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import { call } from './client.ts';

// The staging environment has its own accounts; the page uses its first one, as for keys.
const areaOf = (environment: EnvironmentName) => ({
  path: `${environmentPaths[environment]}/app/v1/assistants`,
  isForFirst: environment === 'staging',
});

/** Clients, and the calls that wait for approval. */
export function readAssistants(environment: EnvironmentName) {
  const { path, isForFirst } = areaOf(environment);
  return call(AssistantsSchema, path, { isForFirst });
}

/** Changes what a client may spend per call, and the amount above which it needs approval. */
export function changeAssistant(
  environment: EnvironmentName,
  id: string,
  body: z.input<typeof AssistantChangeSchema>,
) {
  const { path, isForFirst } = areaOf(environment);
  return call(KeySchema, `${path}/${id}`, { method: 'PATCH', body, isForFirst });
}

/** Tool calls, newest first. */
export function readAssistantCalls(environment: EnvironmentName, limit: number) {
  const { path, isForFirst } = areaOf(environment);
  return call(z.array(AssistantCallSchema), `${path}/calls?limit=${limit}`, { isForFirst });
}

/** Allows or denies a waiting call. */
export function answerApproval(environment: EnvironmentName, id: string, allow: boolean) {
  const { path, isForFirst } = areaOf(environment);
  const options = { method: 'POST' as const, body: { allow }, isForFirst };
  return call(z.unknown(), `${path}/approvals/${id}`, options);
}

/** The folders whose lists assistants can enrich. */
export function readListFolders(environment: EnvironmentName) {
  const { path, isForFirst } = areaOf(environment);
  return call(z.array(ListFolderSchema), `${path}/folders`, { isForFirst });
}

/** Allows a folder by its path on the engine's machine. */
export function allowListFolder(environment: EnvironmentName, folder: string) {
  const { path, isForFirst } = areaOf(environment);
  const options = { method: 'POST' as const, body: { path: folder }, isForFirst };
  return call(ListFolderSchema, `${path}/folders`, options);
}

export function removeListFolder(environment: EnvironmentName, id: number) {
  const { path, isForFirst } = areaOf(environment);
  return call(z.unknown(), `${path}/folders/${id}`, { method: 'DELETE', isForFirst });
}
