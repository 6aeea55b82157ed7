// The state of the Enrich screen, kept while another screen is open.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo, useReducer, useRef } from 'react';
import type { ChosenOptions } from '../../../engine/contract/jobs/app-jobs.ts';
import type { LayerCode } from '../../../engine/contract/jobs/layers.ts';
import { type ColumnMapping, isOfCompanies } from '../../../engine/contract/jobs/row-input.ts';
import type { Corrections, LeaveOutKind } from '../../../engine/contract/reading/reading.ts';
import type { Upload } from '../../../engine/contract/uploads.ts';
import { ApiError } from '../../api/client.ts';
import type { ReadingChoice, Source } from '../../api/upload.ts';
import { countOf } from '../../components/numbers.ts';
import type { ColumnChoice } from './kept-columns.ts';

/** The state of the flow. `upload` is set once the engine has read the file. */
export interface Flow {
  readonly name: string | null;
  readonly bytes: number | null;
  /** 0 to 1 during a transfer; null otherwise. */
  readonly sentShare: number | null;
  /** Whether several files are opened as one list; the share counts files then. */
  readonly isSeveral: boolean;
  readonly upload: Upload | null;
  /** What its job is to be named; null for the name of the file. */
  readonly title: string | null;
  /** An upload whose lines with extra cells wait for a decision. */
  readonly asked: Upload | null;
  readonly error: unknown;
  /** Files that were dropped with this one, to be opened after it. */
  readonly waiting: readonly File[];
  readonly mapping: ColumnMapping;
  /** The column of full names, which is mapped to the first name; null without one. */
  readonly fullName: number | null;
  readonly leaveOut: readonly LeaveOutKind[];
  readonly corrections: Corrections;
  /** The list that was started last, and its job: its grid stays on the screen. */
  readonly started: { readonly uploadId: string; readonly jobId: string } | null;
  /** The columns that were chosen before for a list with this header; null without any. */
  readonly recalled: ColumnChoice | null;
  /** The template that was applied to an upload; its name is null if none was. */
  readonly template: AppliedTemplate | null;
  readonly selection: readonly LayerCode[];
  readonly options: ChosenOptions;
  /** Why layers other than the clicked one were selected or cleared. */
  readonly layerNote: string | null;
  /** The list that was left to choose another file, until one is chosen. */
  readonly left: Flow | null;
}

/** A template in use, and the choices before it. */
interface AppliedTemplate {
  readonly uploadId: string;
  readonly name: string | null;
  readonly before: Pick<Flow, 'mapping' | 'fullName' | 'selection'> | null;
}

interface SeveralFiles {
  readonly files: readonly File[];
}

type Opened = Source | SeveralFiles;

type Change = Partial<Flow>;

const emptyFlow: Flow = {
  name: null,
  bytes: null,
  sentShare: null,
  isSeveral: false,
  upload: null,
  title: null,
  asked: null,
  error: null,
  mapping: {},
  fullName: null,
  recalled: null,
  leaveOut: [],
  corrections: [],
  started: null,
  waiting: [],
  template: null,
  selection: ['L1'],
  options: {},
  layerNote: null,
  left: null,
};

export interface FlowActions {
  /** Restarts with a file, or with several as one list: shows its first rows and uploads it. */
  choose(source: Source | SeveralFiles): Promise<void>;
  /** Reads the same file again with other options. What was read before stays if that fails. */
  readAgain(reading: ReadingChoice): Promise<void>;
  /** Continues without the lines that have extra cells. */
  leaveOutLines(): void;
  /** Removes the file; the layers selected for people and waiting files stay. */
  clear(): void;
  /** Removes the file, and keeps the list until another one is chosen. */
  leave(): void;
  /** Opens the list again that was left, with all its choices. */
  reopen(): void;
  change(
    change: Pick<
      Change,
      | 'name'
      | 'upload'
      | 'title'
      | 'asked'
      | 'error'
      | 'recalled'
      | 'mapping'
      | 'fullName'
      | 'leaveOut'
      | 'corrections'
      | 'started'
      | 'waiting'
      | 'template'
      | 'selection'
      | 'options'
      | 'layerNote'
    >,
  ): void;
}

export interface KeptFlow {
  readonly flow: Flow;
  readonly actions: FlowActions;
}

const FlowContext = createContext<KeptFlow | null>(null);

const nameOf = (source: Opened): string => {
  if ('files' in source) return countOf(source.files.length, 'file');
  if ('sample' in source) return 'Sample spreadsheet';
  return 'file' in source ? source.file.name : source.name;
};

// What opens a file is not needed before the first screen.
const loadUpload = () => import('../../api/upload.ts');

const sizeOf = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Uploads a source. `sent` receives the share, 0 to 1. */
async function uploadSource(
  source: Opened,
  {
    sent,
    reading,
    signal,
  }: {
    readonly sent: (share: number) => void;
    readonly reading: ReadingChoice;
    readonly signal: AbortSignal;
  },
): Promise<Upload> {
  if (!('files' in source)) {
    const { uploadSpreadsheet } = await loadUpload();
    return uploadSpreadsheet(source, sent, signal, reading);
  }
  const { uploadTogether } = await import('./several/several-files.ts');
  return uploadTogether(source.files, (done) => sent(done / source.files.length), signal, reading);
}

/** How a file is read at first: what is unclear is asked. */
const firstReading: ReadingChoice = { header: 'auto', extra_cells: 'leave_out' };

/** The layers for a list: a list of companies begins with theirs, which the next one has not. */
function selectFor(mapping: ColumnMapping, before: Flow): Flow['selection'] {
  if (isOfCompanies(mapping)) return ['CP'];
  return isOfCompanies(before.mapping) ? emptyFlow.selection : before.selection;
}

/** The flow without its file. */
function clearedOf(flow: Flow): Change {
  const { selection: _selection, waiting: _waiting, started: _started, ...fresh } = emptyFlow;
  return { ...fresh, selection: selectFor({}, flow) };
}

/** The flow once the upload is decided. */
const settled =
  (
    upload: Upload,
    recalled: ColumnChoice | null,
    { mapping, fullName } = recalled ?? {
      mapping: upload.mapping,
      fullName: upload.full_name_column,
    },
  ) =>
  (flow: Flow): Change => ({
    selection: selectFor(mapping, flow),
    upload,
    asked: null,
    mapping,
    recalled,
    name: upload.file_name,
    fullName,
    leaveOut: [],
    corrections: [],
  });

/** Creates a flow that exists as long as the calling component. */
export function useNewFlow(): KeptFlow {
  const client = useQueryClient();
  const [flow, change] = useReducer(
    (state: Flow, next: Change | ((state: Flow) => Change)) => ({
      ...state,
      ...(typeof next === 'function' ? next(state) : next),
    }),
    emptyFlow,
  );
  const running = useRef<AbortController | null>(null);
  const opened = useRef<{ source: Opened; reading: ReadingChoice } | null>(null);
  const actions = useMemo<FlowActions>(() => {
    const begin = () => {
      running.current?.abort();
      running.current = new AbortController();
      client.setQueryData(['task', 'upload'], null);
      return running.current.signal;
    };
    const clear = () => {
      const signal = begin();
      opened.current = null;
      change(clearedOf);
      return signal;
    };
    const leave = () => {
      begin();
      change((flow) => ({
        ...clearedOf(flow),
        left: flow.upload || flow.asked ? { ...flow, sentShare: null, error: null } : null,
      }));
    };
    const reopen = () =>
      change(({ left, waiting, started }) => (left ? { ...left, waiting, started } : {}));
    const read = async (source: Opened, reading: ReadingChoice, signal: AbortSignal) => {
      try {
        const sent = (sentShare: number) => !signal.aborted && change({ sentShare });
        const upload = await uploadSource(source, { sent, reading, signal });
        if (signal.aborted) return;
        const { recallColumns } = await import('./kept-columns.ts');
        if (signal.aborted) return;
        const recalled = recallColumns(upload);
        opened.current = { source, reading };
        change({ sentShare: null, error: null });
        // No line is lost without a decision.
        if (upload.reading.wide_count > 0 && upload.reading.extra_cells === 'leave_out')
          change({ asked: upload, upload: null, recalled });
        else change(settled(upload, recalled));
      } catch (error) {
        if (!signal.aborted) change({ error, sentShare: null });
      }
    };
    const choose = async (source: Opened) => {
      const signal = clear();
      const file = 'file' in source ? source.file : null;
      const bytes = 'files' in source ? sizeOf(source.files) : (file?.size ?? null);
      change({ name: nameOf(source), bytes, sentShare: 0, isSeveral: 'files' in source });
      await read(source, firstReading, signal);
    };
    const readAgain = async (reading: ReadingChoice) => {
      if (!opened.current) {
        const detail =
          'The page has been reloaded since the file was chosen. Choose the file again to read ' +
          'it in another way.';
        change({ error: new ApiError('not_found', detail, 404) });
        return;
      }
      const { source, reading: before } = opened.current;
      const signal = begin();
      change({ error: null, sentShare: 0 });
      await read(source, { ...before, ...reading }, signal);
    };
    const leaveOutLines = () =>
      change((flow) => (flow.asked ? settled(flow.asked, flow.recalled)(flow) : {}));
    return { choose, readAgain, leaveOutLines, clear: () => void clear(), leave, reopen, change };
  }, [client]);
  return useMemo(() => ({ flow, actions }), [flow, actions]);
}

export function FlowScope({ value, children }: { value: KeptFlow; children: ReactNode }) {
  return <FlowContext value={value}>{children}</FlowContext>;
}

/** Keeps one flow while it is mounted. */
export function FlowProvider({ children }: { children: ReactNode }) {
  return <FlowScope value={useNewFlow()}>{children}</FlowScope>;
}

export function useFlow() {
  const value = use(FlowContext);
  if (!value) throw new Error('useFlow is used outside FlowProvider');
  return value;
}
