// Tests a definition against the live service with the user's key, by its health request and its
// sandbox calls, which are free, and says which assumption does not hold.
import { randomUUID } from 'node:crypto';
import { ProviderError, type RowAnswer } from '../../contract/provider.ts';
import type { ProviderDefinition } from '../../contract/provider-definition.ts';
import { type DeclaredProviderDeps, openDeclaredProvider } from './declared-provider.ts';

export interface ProviderCheck {
  /** What was checked: a sentence that holds if `isOk`. */
  readonly assumption: string;
  readonly isOk: boolean;
  /** What the service answered instead, or a figure such as the balance. */
  readonly detail: string;
}

export interface ProviderTestResult {
  readonly checks: ProviderCheck[];
  /** The credits that are left; null if the definition does not read them. */
  readonly balance: number | null;
}

/** Throws errors that are not the provider's. */
const detailOf = (error: unknown): string => {
  if (error instanceof ProviderError) return error.message;
  throw error;
};

async function checkHealth(
  definition: ProviderDefinition,
  deps: DeclaredProviderDeps,
  signal: AbortSignal,
): Promise<ProviderTestResult> {
  const accepts = 'The service accepts the key.';
  try {
    const found = await openDeclaredProvider(definition, deps).checkHealth(signal);
    if (found === null) return { checks: [], balance: null };
    const { balance, broken } = found;
    const checks: ProviderCheck[] = [{ assumption: accepts, isOk: true, detail: '' }];
    if (definition.health?.balance !== undefined)
      checks.push({
        assumption: 'The answer has the balance.',
        isOk: balance !== null,
        detail: balance === null ? 'It has no number there.' : `${balance} credits are left.`,
      });
    for (const { says } of definition.health?.assumptions ?? [])
      checks.push({ assumption: says, isOk: !broken.includes(says), detail: '' });
    return { checks, balance };
  } catch (error) {
    const checks = [{ assumption: accepts, isOk: false, detail: detailOf(error) }];
    return { checks, balance: null };
  }
}

type Sandbox = ProviderDefinition['sandbox'][number];

function listDifferences(answer: RowAnswer, expect: Sandbox['expect']): string[] {
  const found: Record<string, string | undefined> = {};
  for (const field of Object.values(answer)) {
    if (field?.kind === 'failed') return [field.detail];
    if (field?.kind === 'hit')
      Object.assign(found, field.values, field.status && { status: field.status });
  }
  return Object.entries(expect).flatMap(([name, wanted]) => {
    const value = found[name];
    if (value === undefined) return [`${name} is missing.`];
    return wanted === null || value === wanted ? [] : [`${name} is ${value}, not ${wanted}.`];
  });
}

async function callSandbox(
  definition: ProviderDefinition,
  { op, url, row, expect }: Sandbox,
  deps: DeclaredProviderDeps,
  signal: AbortSignal,
): Promise<ProviderCheck> {
  const assumption = `The sandbox call of ${op} answers as expected.`;
  const ops = definition.ops.filter(({ id }) => id === op);
  const [operation] = ops;
  const called = ops.map((one) =>
    url === undefined ? one : { ...one, request: { ...one.request, url } },
  );
  const provider = openDeclaredProvider({ ...definition, ops: called }, deps);
  const rows = [{ row, fields: operation?.gives ?? [] }];
  try {
    const answer = await provider.answer({ id: randomUUID(), rows }, { signal, onSend() {} });
    // A service that answers later has accepted the call, and that is all that is known.
    if (answer.kind === 'pending') return { assumption, isOk: true, detail: 'It answers later.' };
    const differences = listDifferences(answer.rows[0] ?? {}, expect);
    return { assumption, isOk: differences.length === 0, detail: differences.join(' ') };
  } catch (error) {
    return { assumption, isOk: false, detail: detailOf(error) };
  }
}

/** Runs the free calls of a definition; empty if it has none. Sandbox calls need a valid key. */
export async function testProvider(
  definition: ProviderDefinition,
  deps: DeclaredProviderDeps,
  signal: AbortSignal,
): Promise<ProviderTestResult> {
  const { checks, balance } = await checkHealth(definition, deps, signal);
  if (checks[0]?.isOk === false) return { checks, balance };
  for (const sandbox of definition.sandbox)
    checks.push(await callSandbox(definition, sandbox, deps, signal));
  return { checks, balance };
}
