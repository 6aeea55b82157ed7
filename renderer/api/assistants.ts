/** What the screens ask of the tool server's clients: limits, activity, questions, folders. */
import { z } from 'zod';
import { KeySchema } from '../../engine/contract/app.ts';
import {
  AssistantCallSchema,
  type AssistantChangeSchema,
  AssistantsSchema,
  ListFolderSchema,
} from '../../engine/contract/assistants.ts';
import { type WorldName, worldPaths } from '../../engine/contract/ids.ts';
import { call } from './client.ts';

// As with keys: the staging world's accounts are its own, and its first one stands for them.
const areaOf = (world: WorldName) => ({
  path: `${worldPaths[world]}/app/v1/assistants`,
  isForFirst: world === 'test',
});

/** The clients, and the calls that wait for a person. */
export function readAssistants(world: WorldName) {
  const { path, isForFirst } = areaOf(world);
  return call(AssistantsSchema, path, { isForFirst });
}

/** Changes what a client may spend in a call, and from where on it has to ask. */
export function changeAssistant(
  world: WorldName,
  id: string,
  body: z.input<typeof AssistantChangeSchema>,
) {
  const { path, isForFirst } = areaOf(world);
  return call(KeySchema, `${path}/${id}`, { method: 'PATCH', body, isForFirst });
}

/** The newest calls of tools. */
export function readAssistantCalls(world: WorldName, limit: number) {
  const { path, isForFirst } = areaOf(world);
  return call(z.array(AssistantCallSchema), `${path}/calls?limit=${limit}`, { isForFirst });
}

/** Allows or denies what a waiting call would cost. */
export function answerApproval(world: WorldName, id: string, allow: boolean) {
  const { path, isForFirst } = areaOf(world);
  const options = { method: 'POST' as const, body: { allow }, isForFirst };
  return call(z.unknown(), `${path}/approvals/${id}`, options);
}

/** The folders from which assistants may have lists enriched. */
export function readListFolders(world: WorldName) {
  const { path, isForFirst } = areaOf(world);
  return call(z.array(ListFolderSchema), `${path}/folders`, { isForFirst });
}

/** Allows a folder by its path on the machine of the engine. */
export function allowListFolder(world: WorldName, folder: string) {
  const { path, isForFirst } = areaOf(world);
  const options = { method: 'POST' as const, body: { path: folder }, isForFirst };
  return call(ListFolderSchema, `${path}/folders`, options);
}

/** Allows a folder no longer. */
export function removeListFolder(world: WorldName, id: number) {
  const { path, isForFirst } = areaOf(world);
  return call(z.unknown(), `${path}/folders/${id}`, { method: 'DELETE', isForFirst });
}
