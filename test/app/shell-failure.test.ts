/** The desktop shell if the engine cannot use its port: it reports that, and a retry succeeds. */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { launch, scratch } from '../launch.ts';

test('a taken port is said in the window, and once it is free a retry opens the app', async () => {
  using place = scratch();
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const { port } = other.address() as AddressInfo;
  const desk = await launch(place.dir, { env: { DESK_PORT: String(port) } });
  try {
    await desk.window
      .getByRole('alert')
      .filter({ hasText: String(port) })
      .waitFor();
    await new Promise((done) => other.close(done));
    await desk.window.getByRole('button', { name: 'Retry' }).click();
    await desk.window.locator('#root > *').first().waitFor({ state: 'attached' });
    const status = await desk.window.evaluate(async () => (await fetch('/app/v1/state')).status);
    expect(status).toBe(200);
  } finally {
    other.close();
    await desk.close();
  }
});
