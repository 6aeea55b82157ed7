// Loaded into the conformance suite's own process: the suite cannot send a key, so every request
// that has none gets the one of the environment. Nothing of the server that is tested is changed.
import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';

const { Agent, setGlobalDispatcher } = createRequire(process.argv[1])('undici');
const authorization = `Bearer ${process.env.DESK_KEY}`;

const addKey = (headers) => {
  if (Array.isArray(headers)) return [...headers, 'authorization', authorization];
  const named = headers?.[Symbol.iterator] ? Object.fromEntries(headers) : headers;
  return { ...named, authorization };
};
const hasKey = (headers) => /authorization/i.test(JSON.stringify(headers ?? {}));

setGlobalDispatcher(
  new Agent().compose(
    (dispatch) => (options, handler) =>
      dispatch(
        hasKey(options.headers) ? options : { ...options, headers: addKey(options.headers) },
        handler,
      ),
  ),
);

// Some scenarios write their headers themselves, with node:http.
subscribe('http.client.request.created', ({ request }) => {
  if (!request.hasHeader('authorization')) request.setHeader('authorization', authorization);
});
