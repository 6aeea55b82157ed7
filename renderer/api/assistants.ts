/** What the screens ask of the tool server's clients: limits, activity, questions, folders. */
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

// As with keys: the staging environment's accounts are its own, and its first one represents them.
const areaOf = (environment: EnvironmentName) => ({
  path: `${environmentPaths[environment]}/app/v1/assistants`,
  isForFirst: environment === 'staging',
});

/** The clients, and the calls that wait for a person. */
export function readAssistants(environment: EnvironmentName) {
  const { path, isForFirst } = areaOf(environment);
  return call(AssistantsSchema, path, { isForFirst });
}

/** Changes what a client may spend in a call, and from where on it has to ask. */
export function changeAssistant(
  environment: EnvironmentName,
  id: string,
  body: z.input<typeof AssistantChangeSchema>,
) {
  const { path, isForFirst } = areaOf(environment);
  return call(KeySchema, `${path}/${id}`, { method: 'PATCH', body, isForFirst });
}

/** The newest calls of tools. */
export function readAssistantCalls(environment: EnvironmentName, limit: number) {
  const { path, isForFirst } = areaOf(environment);
  return call(z.array(AssistantCallSchema), `${path}/calls?limit=${limit}`, { isForFirst });
}

/** Allows or denies what a waiting call would cost. */
export function answerApproval(environment: EnvironmentName, id: string, allow: boolean) {
  const { path, isForFirst } = areaOf(environment);
  const options = { method: 'POST' as const, body: { allow }, isForFirst };
  return call(z.unknown(), `${path}/approvals/${id}`, options);
}

/** The folders from which assistants may have lists enriched. */
export function readListFolders(environment: EnvironmentName) {
  const { path, isForFirst } = areaOf(environment);
  return call(z.array(ListFolderSchema), `${path}/folders`, { isForFirst });
}

/** Allows a folder by its path on the machine of the engine. */
export function allowListFolder(environment: EnvironmentName, folder: string) {
  const { path, isForFirst } = areaOf(environment);
  const options = { method: 'POST' as const, body: { path: folder }, isForFirst };
  return call(ListFolderSchema, `${path}/folders`, options);
}

/** Allows a folder no longer. */
export function removeListFolder(environment: EnvironmentName, id: number) {
  const { path, isForFirst } = areaOf(environment);
  return call(z.unknown(), `${path}/folders/${id}`, { method: 'DELETE', isForFirst });
}
