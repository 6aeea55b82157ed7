// A desk whose directory and provider know people that a test suppresses.
import { expect } from 'vitest';
import type { ProviderRow } from '../../engine/contract/provider.ts';
import { suppressionReading } from '../../engine/contract/suppression/suppression.ts';
import type { Answer, Desk } from '../http/open-api-desk.ts';
import { openApiDesk, openRestartableDesk, type RestartableDesk } from '../http/open-api-desk.ts';
import { found, nothing, playProvider, type Say } from '../providers/play-provider.ts';

const directoryPeople = [
  'id,first name,last name,company,company domain,email,email status,mobile,profile url',
  '1,Ada,Lovelace,Engines,engines.example,ada@engines.example,valid,+41791000001,https://www.linkedin.com/in/ada',
  '2,Bob,Quill,Engines,engines.example,bob@engines.example,valid,+41791000002,https://www.linkedin.com/in/bob',
  '3,Cleo,Park,Globex,globex.example,cleo@mail.globex.example,valid,+41791000003,https://www.linkedin.com/in/cleo',
  '4,Dan,Moss,Initech,initech.example,dan@initech.example,valid,+41791000004,https://www.linkedin.com/in/dan',
  '',
].join('\n');

/** The address of a person that only the provider knows. */
const eve = { email: 'eve@remote.example' };

const sayPaid: Say = (row: ProviderRow) =>
  row.last_name === 'Remote' ? found({ email: eve.email, first_name: 'Eve' }) : nothing;

const playPaid = (say = sayPaid) => playProvider(say, { id: 'paid', title: 'Paid', rowsMax: 1 });

/** Opens the desk; it ends with the test. @param say what the provider answers */
export async function openSuppressionDesk(say = sayPaid) {
  const { provider, requests, asked } = playPaid(say);
  const desk = await openApiDesk({}, { people: directoryPeople, provider });
  return { desk, requests, asked };
}

/** Opens the desk such that a backup can be restored into its folder. */
export const openRestorableDesk = (): Promise<RestartableDesk> =>
  openRestartableDesk({ people: directoryPeople, provider: playPaid().provider });

export const suppress = (desk: Desk, ...values: (string | object)[]): Promise<Answer> =>
  desk.app('POST', 'suppression', {
    json: {
      values: values.map((value) => (typeof value === 'string' ? { value } : value)),
      reason: 'asked',
    },
  });

export async function importSuppressions(
  desk: Desk,
  file: Blob,
  name = 'stop.csv',
): Promise<Answer> {
  const form = { ...suppressionReading, file: new File([file], name) };
  const { upload_id } = (await desk.app('POST', 'uploads', { form })).data;
  return desk.app('POST', 'suppression-imports', { json: { upload_id } });
}

/** Runs a job about rows; resolves with its id. */
export async function runJob(desk: Desk, rows: readonly object[], layers = ['L1', 'MPA']) {
  const answer = await desk.call('POST', 'submit/', { json: { selected_layers: layers, rows } });
  expect(answer.status, answer.text.slice(0, 500)).toBe(202);
  const { job_id: jobId } = answer.data;
  await desk.environment.finish(jobId);
  return jobId as string;
}
