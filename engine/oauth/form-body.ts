// Parses URL-encoded forms, in which each field may occur only once.
import { invalid } from '../contract/errors.ts';
import { oauthBodyBytesMax } from '../contract/limits/oauth.ts';
import type { ApiServer } from '../http/route-deps.ts';

/** Makes forms the only body type of a scope's routes: a record of strings. */
export function readFormsOnly(scope: ApiServer): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: oauthBodyBytesMax },
    (_request, body, done) => {
      const fields = new URLSearchParams(String(body));
      const repeated = [...fields.keys()].find((name) => fields.getAll(name).length > 1);
      if (repeated === undefined) done(null, Object.fromEntries(fields));
      else done(invalid(`${repeated} occurs more than once in the form.`));
    },
  );
}
