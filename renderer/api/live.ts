// Keeps data current: events update the query cache; without a connection, polling does.
import {
  skipToken,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { accounts } from '../../engine/contract/accounts.ts';
import type { ImportReport } from '../../engine/contract/directory.ts';
import type { AnswerOf, AppEndpoint, Arguments, InputOf } from '../../engine/contract/endpoints.ts';
import { engineCalls } from '../../engine/contract/engine.ts';
import type { TaskProgress } from '../../engine/contract/events.ts';
import { jobs } from '../../engine/contract/jobs/job.ts';
import { showFailure, showSuccess } from '../components/toast.ts';
import { ApiError, type AskOptions, ask } from './client.ts';
import type { JobPulse } from './event-stream.ts';
import { invalidate, invalidateAll } from './query-cache.ts';
import { whenQuiet } from './transport/quiet.ts';

const pollIntervalMs = 1_000;
const idlePollIntervalMs = 15_000;

type EventStream = typeof import('./event-stream.ts');
let eventStream: EventStream | undefined;

/** Loads the code of the event stream, which the first screen does not wait for. */
export async function loadEventStream(): Promise<EventStream> {
  eventStream ??= await import('./event-stream.ts');
  return eventStream;
}

export function useEventStream(): void {
  const client = useQueryClient();
  useEffect(() => {
    let isStopped = false;
    let stop = () => {
      isStopped = true;
    };
    const listen = (stream: EventStream) => {
      if (isStopped) return;
      stop = stream.listenToEvents(client, (live) => {
        const isFirst = client.getQueryData(['live']) === undefined;
        client.setQueryData(['live'], live);
        // Refetch everything that may have changed while disconnected, or ask whether the engine
        // still answers. The first time, what the page waits for is not asked for twice.
        if (live && isFirst) void client.invalidateQueries({}, { cancelRefetch: false });
        else if (live) void invalidateAll(client);
        else void invalidate(client, 'state');
      });
    };
    // Without its file the page polls, as it does without a connection.
    if (eventStream) listen(eventStream);
    else
      whenQuiet()
        .then(loadEventStream)
        .then(listen, () => undefined);
    return () => stop();
  }, [client]);
}

/** Tells the engine when the system says that the network has returned. */
export function useNetworkSignal(): void {
  useEffect(() => {
    const tell = () => void ask(jobs.checkNetwork).catch(() => undefined);
    window.addEventListener('online', tell);
    return () => window.removeEventListener('online', tell);
  }, []);
}

/** A value that only events put into the cache. */
function useCached<T>(key: readonly unknown[]): T | undefined {
  return useQuery<T>({ queryKey: key, queryFn: skipToken, staleTime: Number.POSITIVE_INFINITY })
    .data;
}

export const useIsLive = (): boolean => useCached<boolean>(['live']) ?? false;
/** Speed, time left and charge of a running job. */
export const useJobPulse = (jobId: string) => useCached<JobPulse>(['pulse', jobId]);
/** Why a job, a run of a monitor or a list of emails and phones is paused. */
export const useWaiting = (id: string | number) => useCached<string | null>(['waiting', id]);
export const useTask = (task: TaskProgress['task']) =>
  useCached<TaskProgress | null>(['task', task]);
export const useLastReport = () => useCached<ImportReport | null>(['import-report']);

export function useAppState() {
  const isLive = useIsLive();
  return useQuery({
    queryKey: ['state'],
    queryFn: ({ signal }) => ask(engineCalls.state, {}, { signal }),
    refetchInterval: ({ state }) =>
      isLive && state.error === null ? idlePollIntervalMs : pollIntervalMs,
    // The next poll is the retry; until then the page says that the engine does not answer.
    retry: false,
  });
}

/** Whether the engine is not responding: figures are old, and nothing can be changed. */
export function useIsOffline(): boolean {
  const { error } = useAppState();
  return error instanceof ApiError && error.status === 0;
}

export const useAccounts = () =>
  useQuery({
    queryKey: ['accounts'],
    queryFn: () => ask(accounts.list, {}, { isForFirst: true }),
    staleTime: 30_000,
  });

export const useLayers = () => useQuery({ queryKey: ['layers'], queryFn: () => ask(jobs.layers) });

/** One job, polled while it runs without an event stream. Not requested unless `enabled`. */
export function useJob(jobId: string, enabled = true) {
  const live = useIsLive();
  return useQuery({
    queryKey: ['job', jobId],
    queryFn: () => ask(jobs.status, { job_id: jobId }),
    enabled,
    retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status === 404),
    refetchInterval: ({ state }) =>
      !state.data || state.data.ready ? false : live ? pollIntervalMs * 5 : pollIntervalMs,
  });
}

type QueryWishes<Call extends AppEndpoint, Shown> = Pick<AskOptions, 'environment' | 'isForFirst'> &
  Omit<UseQueryOptions<AnswerOf<Call>, Error, Shown>, 'queryKey' | 'queryFn'>;

/** A call of the contract as a query. A component that is removed does not cancel the request. */
export function useAnswer<Call extends AppEndpoint, Shown = AnswerOf<Call>>(
  queryKey: readonly unknown[],
  call: Call,
  ...[wishes]: Partial<InputOf<Call>> extends InputOf<Call>
    ? [wishes?: QueryWishes<Call, Shown> & { readonly input?: InputOf<Call> }]
    : [wishes: QueryWishes<Call, Shown> & { readonly input: InputOf<Call> }]
) {
  const { input, environment, isForFirst, ...options } = wishes ?? {};
  const asked = [input, { environment, isForFirst }] as Arguments<Call, AskOptions>;
  return useQuery({ queryKey, queryFn: () => ask(call, ...asked), ...options });
}

/** A call of the contract as a mutation, which invalidates queries as `useChange` does. */
export const useCall = <Call extends AppEndpoint>(
  endpoint: Call,
  names: readonly string[],
  words?: ChangeWords,
) =>
  useChange(
    (input: InputOf<Call>) => {
      const asked = [input] as Arguments<Call, never>;
      return ask(endpoint, ...asked);
    },
    names,
    words,
  );

interface ChangeWords {
  readonly failed?: string;
  readonly done?: string;
}

/**
 * A mutation that invalidates every query whose key begins with one of `names`. The library forgets
 * the handlers of a component that the new data removes, such as the row that was deleted, so they
 * are called here. A success after the user has left the screen is silent; an error never is.
 */
export function useChange<Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  names: readonly string[],
  { failed, done }: ChangeWords = {},
) {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: change,
    onSettled: () => invalidate(client, ...names),
  });
  const mutate = (input: Input, { onSuccess, onError }: Handlers<Answer> = {}) => {
    const screen = readScreen();
    mutation.mutateAsync(input).then(
      (answer) => {
        if (readScreen() !== screen) return;
        onSuccess?.(answer);
        if (done !== undefined) showSuccess(done);
      },
      (error: Error) => {
        onError?.(error);
        if (failed !== undefined) showFailure(failed, error);
      },
    );
  };
  return { ...mutation, mutate };
}

/** The address without its query. */
const readScreen = () => location.hash.split('?')[0];

interface Handlers<Answer> {
  onSuccess?(answer: Answer): unknown;
  onError?(error: Error): unknown;
}
