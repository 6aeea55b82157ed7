// Keeps the chosen list of this tab while the page is loaded again. The engine has its rows.
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { JobOptionsSchema } from '../../../engine/contract/jobs/app-jobs.ts';
import { LayerCodeSchema } from '../../../engine/contract/jobs/layers.ts';
import { CorrectionsSchema, LeaveOutSchema } from '../../../engine/contract/reading/reading.ts';
import { ColumnMappingSchema, uploads } from '../../../engine/contract/uploads.ts';
import { ApiError, ask } from '../../api/client.ts';
import { type Flow, useFlow } from './flow.tsx';

const storageKey = 'desk-list';

const KeptSchema = z.object({
  uploadId: z.string(),
  name: z.string(),
  isAsked: z.boolean(),
  mapping: ColumnMappingSchema,
  fullName: z.int().nullable(),
  leaveOut: LeaveOutSchema,
  corrections: CorrectionsSchema,
  selection: z.array(LayerCodeSchema),
  options: JobOptionsSchema,
});
type Kept = z.input<typeof KeptSchema>;

function readKept() {
  try {
    return KeptSchema.safeParse(JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')).data;
  } catch {
    return undefined;
  }
}

function writeKept(flow: Flow): void {
  const upload = flow.upload ?? flow.asked;
  if (!upload) {
    sessionStorage.removeItem(storageKey);
    return;
  }
  const { mapping, fullName, leaveOut, corrections, selection, options } = flow;
  const kept: Kept = {
    uploadId: upload.upload_id,
    name: upload.file_name,
    isAsked: flow.upload === null,
    mapping,
    fullName,
    leaveOut: [...leaveOut],
    corrections: [...corrections],
    selection: [...selection],
    options,
  };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // A full storage only means that the list is not remembered.
  }
}

const lostFile = (name: string) =>
  new ApiError(
    'not_found',
    `The page was loaded again, and ${name} is no longer kept. Choose it again; the columns that ` +
      'you chose for it are remembered.',
    404,
  );

/** Restores the list once, then keeps every change. Renders nothing. */
export function KeptList() {
  const { flow, actions } = useFlow();
  const [isRestored, setRestored] = useState(false);
  useEffect(() => {
    if (isRestored) return;
    const kept = flow.name === null ? readKept() : undefined;
    setRestored(true);
    if (!kept) return;
    const { uploadId, name, isAsked, ...choices } = kept;
    ask(uploads.get, { upload_id: uploadId }).then(
      (upload) =>
        actions.change({ ...choices, name, ...(isAsked ? { asked: upload } : { upload }) }),
      () => actions.change({ name, error: lostFile(name) }),
    );
  }, [isRestored, flow.name, actions]);
  useEffect(() => {
    if (isRestored && (flow.name === null || flow.upload || flow.asked)) writeKept(flow);
  }, [isRestored, flow]);
  return null;
}
