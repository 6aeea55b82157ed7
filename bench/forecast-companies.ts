// Prints how matching of companies does on dirt that it has not learned.
import { eachKind, judgeOnce, leaveOneOut, type Omission } from './leave-one-out.ts';
import {
  type Bars,
  printFamilies,
  printFigures,
  printLeftOut,
  printReliability,
} from './matching-report.ts';
import type { CompanyDirectory } from './messy/company-directory.ts';
import { companyKinds } from './messy/company-kinds.ts';
import type { MessyCompanyRow } from './messy/make-company-rows.ts';
import { judgeCompanies, listLearningRows, trainCompanies } from './train/train-companies.ts';

const groups: readonly Omission[] = [
  ...Map.groupBy(companyKinds, ({ group }) => group as string),
].map(([name, kinds]) => ({ name, kinds: new Set(kinds.map((kind) => kind.name)) }));

/** What is good enough. */
interface CompanyBars extends Bars {
  /** Greatest expected calibration error. */
  readonly calibration: number;
}

/** Prints the forecast. @param isQuick leave out groups alone, no single kinds */
export async function printCompanyForecast(
  directory: CompanyDirectory,
  rows: readonly MessyCompanyRow[],
  bars: CompanyBars,
  isQuick: boolean,
): Promise<void> {
  const { report, ...learning } = await listLearningRows(directory, rows);
  const train = ({ training, calibration }: typeof learning) => {
    const model = trainCompanies(training, calibration);
    return (list: typeof report) => judgeCompanies(list, model);
  };
  const learned = train(learning)(report);
  const byGroup = leaveOneOut(train, learning, [report], groups);
  const dirt = new Set(companyKinds.map(({ name }) => name));
  printFigures('Companies, all kinds learned', learned, {});
  printFamilies(learned, byGroup);
  if (isQuick) return;
  const byKind = leaveOneOut(train, learning, [report], eachKind(report));
  printLeftOut(learned, byGroup, byKind);
  for (const [title, table] of [
    ['one kind of dirt in each row not learned', byKind.filter(({ name }) => dirt.has(name))],
    ['one kind of dirt or of strangers in each row not learned', byKind],
  ] as const) {
    const judged = judgeOnce(learned, table, 0);
    printFigures(`Companies of report, ${title}`, judged, bars);
    printReliability('Reliability of these answers', judged, bars.calibration);
  }
}
