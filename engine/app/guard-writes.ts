/** Which calls of an environment are refused while it is read-only, and which are not. */
import type { Treatments, WriteGate } from '../maintenance/read-only/write-gate.ts';
import type { ReaderCalls } from './reader-calls.ts';
import type { ReplaceableWriter } from './workers/closed-writer.ts';
import type { WriterThreadCalls } from './workers/writer.worker.ts';

/** Every other call of the writer changes engine.db. */
const writerTreatments: Treatments<WriterThreadCalls> = {
  whenOpen: 'passes',
  takeIndex: 'passes',
  stop: 'passes',
  copyStore: 'passes',
  'webhooks.secretKey': 'passes',
  searchTeam: 'passes',
  searchTeamCompanies: 'passes',
  readTeamValues: 'passes',
  readTeamPeople: 'passes',
  findTeamPeople: 'passes',
  readTeamRecord: 'passes',
  readTeamCompany: 'passes',
  // An export or a backup is recorded when the engine writes again.
  noteAudit: 'waits',
  recordBackup: 'waits',
  touchBrowserSession: 'left out',
};

/** The calls that change the directory or write files into the data folder. */
const changingReaderCalls: readonly (keyof ReaderCalls)[] = [
  ...(['prepareUpload', 'reviseRows', 'writeRows'] as const),
  ...(['importDirectory', 'importSample', 'undoImport', 'erasePeople'] as const),
  ...(['mergeRecords', 'undoMerge', 'dismissDuplicate', 'searchDuplicates'] as const),
];

/** A writer whose calls pass the gate. */
export const guardWriter = (writer: ReplaceableWriter, gate: WriteGate): ReplaceableWriter => ({
  ...writer,
  calls: gate.guard(writer.calls, writerTreatments),
});

/** The calls of a reader, of which those that write pass the gate. */
export const guardReader = (calls: ReaderCalls, gate: WriteGate): ReaderCalls =>
  gate.guardOnly(calls, changingReaderCalls);
