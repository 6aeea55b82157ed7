// Tools of the fixture that ask the client during a call: by their own request, as in older
// versions, or by an answer that requires input, as in the newest.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type createRequestStateCodec,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import {
  accepted,
  addTool,
  ask,
  askName,
  type Fields,
  given,
  type Requests,
  sample,
  text,
} from './fixture-words.ts';

export type StateCodec = ReturnType<typeof createRequestStateCodec<Record<string, unknown>>>;

/**
 * Sends a question on the stream of its call. Without that, it goes to the GET stream and is lost
 * if the client has not opened it yet.
 */
const sameStream = ({ id }: ServerContext['mcpReq']) => ({ relatedRequestId: id });

async function elicit(
  { mcpReq }: ServerContext,
  label: string,
  message: string,
  properties: Fields,
  required: readonly string[] = [],
) {
  const requestedSchema = { type: 'object', properties, required } as never;
  const { action, content } = await mcpReq.elicitInput(
    { mode: 'form', message, requestedSchema },
    sameStream(mcpReq),
  );
  return text(`${label}: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const places = ['First', 'Second', 'Third'];
const titled = (value: string, title: string) =>
  places.map((place, at) => ({ const: `${value}${at + 1}`, title: `${place} ${title}` }));
const options = ['option1', 'option2', 'option3'];
const choices: Fields = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled('value', 'Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { type: 'string', enum: options },
  },
  titledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { anyOf: titled('value', 'Choice') },
  },
};
const defaults: Fields = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const user: Fields = {
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
};

export function addOlderQuestions(server: McpServer): void {
  addTool(
    server,
    'test_sampling',
    async ({ mcpReq }, { prompt = '' }) => {
      const { content } = await mcpReq.requestSampling(
        {
          messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
          maxTokens: 100,
        },
        sameStream(mcpReq),
      );
      return text(`LLM response: ${(content as { text?: string }).text ?? ''}`);
    },
    z.object({ prompt: z.string() }),
  );
  addTool(
    server,
    'test_elicitation',
    (deps, { message = '' }) => elicit(deps, 'User response', message, user, ['username', 'email']),
    z.object({ message: z.string() }),
  );
  addTool(server, 'test_elicitation_sep1034_defaults', (deps) =>
    elicit(deps, 'Elicitation completed', 'Check the defaults', defaults),
  );
  addTool(server, 'test_elicitation_sep1330_enums', (deps) =>
    elicit(deps, 'Elicitation completed', 'Choose', choices),
  );
}

function addSingleQuestions(server: McpServer): void {
  const prefix = 'test_input_required_result_';
  addTool(server, 'test_missing_capability', (deps) =>
    given(deps, 'q') ? text('ok') : inputRequired({ inputRequests: { q: sample('pong?', 16) } }),
  );
  addTool(server, 'test_streaming_elicitation', () => text('no top-level requests on this stream'));
  addTool(server, `${prefix}elicitation`, (deps) => {
    const name = accepted(deps, 'user_name')?.name;
    return typeof name === 'string'
      ? text(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: askName() } });
  });
  addTool(server, `${prefix}sampling`, (deps) => {
    const answer = given(deps, 'capital_question') as { content?: { text?: string } } | undefined;
    const question = sample('What is the capital of France?', 100);
    return answer
      ? text(`Sampling response: ${answer.content?.text ?? ''}`)
      : inputRequired({ inputRequests: { capital_question: question } });
  });
  addTool(server, `${prefix}list_roots`, (deps) => {
    const answer = given(deps, 'client_roots') as { roots?: { uri: string }[] } | undefined;
    return answer?.roots
      ? text(answer.roots.map(({ uri }) => uri).join(', '))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
}

function addStatefulQuestions(server: McpServer, codec: StateCodec): void {
  const prefix = 'test_input_required_result_';
  const confirm = () => ask('Please confirm', { ok: { type: 'boolean' } }, ['ok']);
  const ends = { request_state: 'state-ok', tampered_state: 'integrity-ok' };
  for (const [name, end] of Object.entries(ends))
    addTool(server, prefix + name, async (deps) =>
      accepted(deps, 'confirm') && deps.mcpReq.requestState() !== undefined
        ? text(end)
        : inputRequired({
            inputRequests: { confirm: confirm() },
            requestState: await codec.mint({ name }),
          }),
    );
  addTool(server, `${prefix}multiple_inputs`, async (deps) => {
    const names = ['user_name', 'greeting', 'client_roots'];
    if (names.every((name) => given(deps, name))) return text('complete');
    const inputRequests = {
      user_name: askName(),
      greeting: sample('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: 1 }) });
  });
  addTool(server, `${prefix}multi_round`, async ({ mcpReq }) => {
    const round = Number(mcpReq.requestState<{ round?: number }>()?.round ?? 0);
    if (round >= 2) return text('multi-round complete');
    const inputRequests: Requests =
      round === 0
        ? { step1: ask('Step 1: What is your name?', { name: { type: 'string' } }, ['name']) }
        : {
            step2: ask('Step 2: What is your favorite color?', { color: { type: 'string' } }, [
              'color',
            ]),
          };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: round + 1 }) });
  });
  addTool(server, `${prefix}capabilities`, ({ mcpReq }) => {
    if (mcpReq.inputResponses) return text('complete');
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const known = envelope?.[CLIENT_CAPABILITIES_META_KEY] as Record<string, unknown> | undefined;
    const inputRequests: Requests = {
      ...(known?.elicitation ? { user_name: askName() } : {}),
      ...(known?.sampling ? { greeting: sample('Generate a greeting', 50) } : {}),
      ...(known?.roots ? { client_roots: inputRequired.listRoots() } : {}),
    };
    return Object.keys(inputRequests).length > 0
      ? inputRequired({ inputRequests })
      : text('nothing to ask');
  });
}

/** Adds the tools whose answer requires input. */
export function addNewestQuestions(server: McpServer, codec: StateCodec): void {
  addSingleQuestions(server);
  addStatefulQuestions(server, codec);
}
