// The page that the window shows if the engine cannot run: what happened, and a retry button.

/** Path of the page. A POST to it restarts the engine. */
export const failurePath = '/engine-failed';

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const writePage = (nonce: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Enrichment Desk</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { max-width: 34rem; padding: 2rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
button { font: inherit; padding: .5rem 1.25rem; }
</style>
</head>
<body><main>${body}</main></body>
</html>`;

/** @param sentence what happened and what to do, for the user */
export const writeFailurePage = (nonce: string, sentence: string): string =>
  writePage(
    nonce,
    `<h1>The engine could not start</h1>
<p role="alert">${escapeHtml(sentence)}</p>
<form method="post" action="${failurePath}"><button autofocus>Retry</button></form>`,
  );

/** The page that is shown after a retry until the engine has started or failed. */
export const writeStartingPage = (nonce: string): string =>
  writePage(nonce, '<p role="status">Starting the engine …</p>');
