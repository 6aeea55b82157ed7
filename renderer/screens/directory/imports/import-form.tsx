// Imports people and companies from files with source, date and trust.
import {
  Button,
  Card,
  CloseButton,
  Group,
  Input,
  Progress,
  Radio,
  SegmentedControl,
  SimpleGrid,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconFileCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type ImportKind, importKinds } from '../../../../engine/contract/directory.ts';
import { useDirectory } from '../../../api/directory.ts';
import { useChange, useLastReport, useTask } from '../../../api/live.ts';
import { importFiles, type SentImportOptions } from '../../../api/upload.ts';
import { DateField, descriptionBelow } from '../../../components/date-field.tsx';
import { DropArea } from '../../../components/drop-area.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { describeTask, showBytes, showShare } from '../../../components/numbers.ts';
import { StickyFoot } from '../../../components/sticky-foot.tsx';
import { Note } from '../../../components/text.tsx';
import classes from '../directory.module.css';
import {
  asksWideLines,
  type ChosenLists,
  type ColumnPicks,
  type DayOrder,
  isRefused,
  listHeaders,
  listKept,
  type MergedPicks,
  mergePicks,
  noList,
  noLists,
  readingsOf,
  useImportPreview,
  useReadList,
} from './chosen-lists.ts';
import { ImportReportView } from './import-report.tsx';
import { ListColumns } from './list-columns.tsx';

interface FilePlaceProps {
  label: string;
  hint: string;
  file: File | null;
  onFile: (file: File | null) => void;
}

function FilePlace({ label, hint, file, onFile }: FilePlaceProps) {
  if (!file) return <DropArea label={label} hint={hint} onFile={onFile} />;
  return (
    <Group gap="md" wrap="nowrap" className={classes.file}>
      <IconFileCheck size={26} stroke={1.4} aria-hidden color="var(--desk-accent)" />
      <div>
        <Text fw={600} truncate>
          {file.name}
        </Text>
        <Note className="numbers">
          {label} · {showBytes(file.size)}
        </Note>
      </div>
      <CloseButton aria-label={`Remove ${file.name}`} onClick={() => onFile(null)} />
    </Group>
  );
}

interface Origin {
  readonly source: string;
  readonly observed: string;
  readonly trust: number;
}

const trustLevels = [
  ['Low', 0.5],
  ['Normal', 0.8],
  ['High', 0.95],
] as const;

interface OriginFieldsProps {
  origin: Origin;
  onChange: (origin: Origin) => void;
}

function OriginFields({ origin, onChange }: OriginFieldsProps) {
  const trustId = useId();
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md" mb="md">
      <TextInput
        label="Source"
        // As those of the date next to it, so that the fields are in line.
        inputWrapperOrder={descriptionBelow}
        description="Shown next to every value"
        placeholder="The file’s name"
        maxLength={120}
        value={origin.source}
        onChange={(event) => onChange({ ...origin, source: event.currentTarget.value })}
      />
      <DateField
        label="Date of the list"
        whenEmpty="For rows without a date"
        value={origin.observed}
        onDay={(observed) => onChange({ ...origin, observed })}
      />
      <Input.Wrapper
        label="Trust"
        inputWrapperOrder={descriptionBelow}
        description="Decides between values of the same date"
        labelElement="div"
        labelProps={{ id: trustId }}
      >
        <SegmentedControl
          fullWidth
          mb={4}
          aria-labelledby={trustId}
          transitionDuration={0}
          data={trustLevels.map(([label, trust]) => ({ label, value: String(trust) }))}
          value={String(origin.trust)}
          onChange={(value) => onChange({ ...origin, trust: Number(value) })}
        />
      </Input.Wrapper>
    </SimpleGrid>
  );
}

function ImportProgress({ sentShare }: { sentShare: number }) {
  const task = useTask('import');
  const sending = sentShare > 0 && sentShare < 1;
  const share = sending ? sentShare : task?.total ? task.done / task.total : null;
  const words = sending
    ? `Copying, ${showShare(sentShare)}`
    : task
      ? describeTask(task)
      : 'Starting';
  return (
    <div>
      <Note mb={4} role="status" className="numbers">
        {words}
      </Note>
      <Progress value={(share ?? 1) * 100} animated={share === null} aria-label={words} />
    </div>
  );
}

const optionsOf = (
  { source, observed, trust }: Origin,
  lists: ChosenLists,
  { mapping, keep }: ColumnPicks,
  dayOrder: DayOrder | undefined,
): SentImportOptions => ({
  ...(keep === null ? {} : { keep: [...keep] }),
  ...(dayOrder === undefined ? {} : { day_order: dayOrder }),
  ...(source.trim() ? { source: source.trim() } : {}),
  ...(observed ? { observed } : {}),
  trust,
  ...(Object.keys(mapping).length ? { mapping } : {}),
  ...readingsOf(lists),
});

/** The columns to keep of each list; null until the user chooses. */
type Keep = Readonly<Record<ImportKind, ColumnPicks['keep']>>;
const noKeep: Keep = { people: null, companies: null };

/** One import of the current choices. A refused import keeps all choices. */
function useImport() {
  const client = useQueryClient();
  const [lists, setLists] = useState<ChosenLists>(noLists);
  const [keep, setKeep] = useState(noKeep);
  const [sentShare, setSentShare] = useState(0);
  const report = useLastReport();
  const task = useTask('import');
  const { isSuccess, reset, ...start } = useChange(
    (options: SentImportOptions) =>
      importFiles(
        { people: lists.people.file, companies: lists.companies.file, options },
        setSentShare,
      ),
    [],
  );
  useEffect(() => {
    if (!isSuccess || !report) return;
    if (report.status === 'completed') {
      setLists(noLists);
      setKeep(noKeep);
    }
    reset();
  }, [isSuccess, report, reset]);
  const begin = (options: SentImportOptions) => {
    setSentShare(0);
    client.setQueryData(['import-report'], null);
    start.mutate(options);
  };
  const busy = start.isPending || isSuccess || Boolean(task);
  return { lists, setLists, keep, setKeep, begin, busy, sentShare, error: start.error, report };
}

const places: Readonly<Record<ImportKind, { label: string; hint: string }>> = {
  people: { label: 'People', hint: 'Names, employers, emails, profile URLs' },
  companies: { label: 'Companies', hint: 'Names, websites, addresses, phones' },
};

/** Warnings about a mapping that applies to both files. */
function MergeNotes({ conflicts, reaches }: MergedPicks) {
  return (
    <div role="status">
      {[...conflicts, ...reaches].map((text) => (
        <Text
          key={text}
          size="sm"
          mb="md"
          {...(conflicts.includes(text) && { c: 'var(--desk-failed)' })}
        >
          {text}
        </Text>
      ))}
    </div>
  );
}

const keptSentence =
  'Your files and columns are kept. Fix the file or the columns, then import again.';

/** The import's progress and report, which is read next: it gets the focus at its end. */
function Outcome({ busy, children }: { busy: boolean; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const wasBusy = useRef(busy);
  useEffect(() => {
    if (wasBusy.current && !busy) {
      place.current?.scrollIntoView({ block: 'nearest' });
      place.current?.focus({ preventScroll: true });
    }
    wasBusy.current = busy;
  }, [busy]);
  return (
    <section ref={place} tabIndex={-1} aria-label="Outcome of the import">
      {children}
    </section>
  );
}

interface DayOrderFieldProps {
  value: DayOrder | undefined;
  onChange: (order: DayOrder) => void;
}

/** Asks for the order of days and months, which no date of the first rows shows. */
function DayOrderField({ value, onChange }: DayOrderFieldProps) {
  return (
    <Radio.Group
      label="What is 05/04/2020 in this file?"
      description="Without an answer, only the year of such dates is imported."
      mb="md"
      value={value ?? ''}
      onChange={(order) => onChange(order as DayOrder)}
    >
      <Group mt={4}>
        <Radio value="day_first" label="5 April" />
        <Radio value="month_first" label="4 May" />
      </Group>
    </Radio.Group>
  );
}

const explanation = (
  <Note mb="md">CSV or Excel: one row per person or per job, and one row per company.</Note>
);

export function ImportForm() {
  const { lists, setLists, keep, setKeep, begin, busy, sentShare, error, report } = useImport();
  const { data: directory } = useDirectory();
  const listed = directory?.imports.find(({ import_id: id }) => id === report?.import_id);
  const isUndone = listed?.status === 'undone';
  const [origin, setOrigin] = useState<Origin>({ source: '', observed: '', trust: 0.8 });
  const [dayOrder, setDayOrder] = useState<DayOrder>();
  const read = { people: useReadList(lists.people), companies: useReadList(lists.companies) };
  const headersOf = (kind: ImportKind) => listHeaders(read[kind].data?.headers);
  const headers = { people: headersOf('people'), companies: headersOf('companies') };
  const merged = mergePicks(lists, headers);
  const nameOf = (kind: ImportKind) => lists[kind].file?.name ?? '';
  const { mapping } = merged;
  const picksOf = (kind: ImportKind) => ({ mapping, keep: keep[kind] });
  const ofPeople = read.people.data;
  const ofCompanies = read.companies.data;
  const previews = {
    people: useImportPreview('people', nameOf('people'), ofPeople, picksOf('people'), dayOrder),
    companies: useImportPreview(
      'companies',
      nameOf('companies'),
      ofCompanies,
      picksOf('companies'),
      dayOrder,
    ),
  };
  const keptOf = (kind: ImportKind): readonly string[] => {
    const [{ data: upload }, { data: preview }] = [read[kind], previews[kind]];
    return keep[kind] ?? (upload && preview ? listKept(upload, preview) : []);
  };
  const allKept = [...new Set(importKinds.flatMap(keptOf))];
  const isKeepChosen = importKinds.some((kind) => keep[kind] !== null);
  const asksDayOrder =
    dayOrder !== undefined ||
    importKinds.some((kind) => lists[kind].file && previews[kind].data?.undecided_dates === true);
  const isUndecided = importKinds.some(
    (kind) =>
      lists[kind].file &&
      (isRefused(lists[kind], read[kind].error) ||
        typeof previews[kind].data?.refusal === 'string' ||
        asksWideLines(lists[kind], read[kind].data)),
  );
  // Until the preview is that of the choices, the user has not seen what would be imported.
  const isReading =
    !busy &&
    importKinds.some(
      (kind) => lists[kind].file && (read[kind].isFetching || previews[kind].isFetching),
    );
  const change = (kind: ImportKind, list: ChosenLists[ImportKind]) =>
    setLists({ ...lists, [kind]: list });
  const nothing = !lists.people.file && !lists.companies.file;
  return (
    <Card component="section" aria-labelledby="import-title" className={classes.form}>
      <Title order={2} id="import-title">
        Import
      </Title>
      {explanation}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" mb="md">
        {importKinds.map((kind) => (
          <FilePlace
            key={kind}
            {...places[kind]}
            file={lists[kind].file}
            onFile={(file) => {
              setKeep({ ...keep, [kind]: null });
              change(kind, { ...noList, file });
            }}
          />
        ))}
      </SimpleGrid>
      {importKinds.map((kind) => {
        const { file } = lists[kind];
        return (
          file && (
            <ListColumns
              key={`${kind}:${file.name}`}
              kind={kind}
              name={file.name}
              list={lists[kind]}
              read={read[kind]}
              preview={previews[kind]}
              keep={[...new Set(keptOf(kind))]}
              onKeep={(headers) => setKeep({ ...keep, [kind]: headers })}
              onChange={(list) => change(kind, list)}
            />
          )
        );
      })}
      <MergeNotes {...merged} />
      {asksDayOrder && !nothing && <DayOrderField value={dayOrder} onChange={setDayOrder} />}
      <OriginFields origin={origin} onChange={setOrigin} />
      <StickyFoot
        above={
          isReading && (
            <Note role="status">The first rows are being read. Then the import can start.</Note>
          )
        }
      >
        <Button
          variant="filled"
          disabled={nothing || isReading || isUndecided || merged.conflicts.length > 0}
          loading={busy}
          onClick={() => {
            const picks = { mapping, keep: isKeepChosen ? allKept : null };
            begin(optionsOf(origin, lists, picks, dayOrder));
          }}
        >
          Import
        </Button>
      </StickyFoot>
      <Outcome busy={busy}>
        {busy && <ImportProgress sentShare={sentShare} />}
        <ErrorPanel title="The import did not start" error={error} />
        {!busy && report && !isUndone && (
          <ImportReportView report={report} {...(!nothing && { remedy: keptSentence })} />
        )}
      </Outcome>
    </Card>
  );
}
