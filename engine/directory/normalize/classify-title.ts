/** Classifies job titles by function and level. The first line of the table that fits decides. */
import { copyText } from '../../platform/copy-text.ts';

/** What a title says; null if the table has no line for it. */
export interface TitleClass {
  readonly jobFunction: string | null;
  readonly jobLevel: string | null;
}

type Rule = readonly [label: string, words: string];

// Words of a folded title, with "|" between alternatives; "x*" is a prefix.
const levelRules: readonly Rule[] = [
  ['Staff', 'intern|internship|trainee|apprentice|werkstudent|stagiaire|praktikant*'],
  ['Staff', 'assistant to|executive assistant|personal assistant|executive secretary'],
  [
    'Elected Official',
    'senator|sen|representative in|state representative|us representative|u s representative|' +
      'representative|delegate|assembly member|assemblymember|assemblyman|assemblywoman|' +
      'member of parliament|member of the house|member of congress|member of the legislature|' +
      'congressman|congresswoman|councilmember|council member|councilman|councilwoman|' +
      'councilor|councillor|alder*|selectman|mayor|governor|lieutenant governor|' +
      'secretary of state|attorney general|solicitor general|lord advocate|advocate general|' +
      'minister|ministers|prime minister|parliamentary|whip|lord in waiting|' +
      'baroness in waiting|lord commissioner|lord president|lord chancellor|lord privy seal|' +
      'paymaster general|chancellor of the exchequer|chancellor of the duchy|' +
      'leader of the house|household|hm treasury|to the treasury|financial secretary|' +
      'economic secretary|exchequer secretary|speaker|commissioner of|resident commissioner|' +
      'state treasurer|state auditor|comptroller of hm|captain of the|mp|chair of the council|' +
      'party chair*|lord chamberlain|without portfolio',
  ],
  [
    'Owner',
    'owner|owners|founder|co founder|cofounder|founding partner|proprietor|inhaber*|' +
      'gruender*|fondateur|fondatrice|fundador*|sole trader',
  ],
  ['VP', 'vice president|vice chancellor|vice provost|vp|svp|evp|avp|vicepresident'],
  [
    'C-Level',
    'chief|ceo|cfo|coo|cto|cio|cmo|cro|cpo|chro|ciso|cso|cdo|president|chancellor|rector|' +
      'managing director|geschaeftsfuehrer*|general director|directeur general|' +
      'director general|superintendent|provost|chair|chairman|chairwoman|chairperson|presiding|' +
      'executive director|headmaster|principal officer|executive officer|vorstand*|pdg',
  ],
  [
    'Director',
    'director|directeur|directrice|dean|head of|head|general counsel|partner|principal|' +
      'leiter*|controller|comptroller|registrar|treasurer|assistant superintendent|' +
      'secretary general',
  ],
  [
    'Manager',
    'manager|mgr|supervisor|team lead|teamlead|administrator|coordinator|foreman|superviseur|' +
      'gerente|jefe|responsable|teamleiter*|bursar|commissioner|under secretary|master',
  ],
  [
    'Senior',
    'senior|sr|lead|staff engineer|expert|architect|fellow|professor|counsel|attorney|secretary',
  ],
];
const functionRules: readonly Rule[] = [
  [
    'Government',
    'senator|sen|representative|delegate|assembly member|assemblymember|assemblyman|' +
      'assemblywoman|parliament|parliamentary|congressman|congresswoman|member of the house|' +
      'member of congress|member of the legislature|council|councilmember|councilman|' +
      'councilwoman|councilor|councillor|alder*|selectman|mayor|governor|secretary of state|' +
      'attorney general|solicitor general|minister|ministers|whip|in waiting|lord commissioner|' +
      'lord president|lord chancellor|lord privy seal|lord advocate|advocate general|' +
      'paymaster general|chancellor of the exchequer|chancellor of the duchy|' +
      'leader of the house|household|hm treasury|to the treasury|economic secretary|' +
      'exchequer secretary|financial secretary|under secretary|speaker|election*|' +
      'resident commissioner|state treasurer|state auditor|mp|captain of the|cabinet*|policy|' +
      'lord chamberlain|without portfolio|public affairs|civil service',
  ],
  [
    'Human Resources',
    'human resources|hr|people|talent|recruit*|personnel|chro|personal*|compensation|' +
      'learning and development',
  ],
  [
    'Finance',
    'finance|financial|cfo|accountant*|accounting|accounts|controller|comptroller|treasurer|' +
      'bursar|tax|cefo|audit*|payroll|investor*|banking|credit|billing|finanz*|buchhalt*|' +
      'economist',
  ],
  [
    'Legal',
    'legal|counsel|attorney|lawyer|compliance|paralegal|privacy|jurist*|regulatory|judge|justice',
  ],
  [
    'Marketing',
    'marketing|brand|cmo|growth|seo|content|demand generation|advertising|communications|' +
      'communication|public relations|pr|media|press',
  ],
  [
    'Sales',
    'sales|account executive|account manager|business development|revenue|cro|vertrieb*|' +
      'ventas|commercial|partnerships|bdr|sdr|key account',
  ],
  ['Customer Success', 'customer|client|support|success|service desk|helpdesk'],
  ['Product', 'product|produkt*'],
  ['Data', 'data|analytics|machine learning|statistic*|business intelligence'],
  [
    'Information Technology',
    'it|information technology|information|cio|ciso|systems|system administrator|network|' +
      'infrastructure|security|technology officer|digital',
  ],
  [
    'Engineering',
    'engineer*|developer*|software|cto|technical|architect|devops|programmer|entwickler*|' +
      'ingenieur*|technology|manufacturing engineer',
  ],
  ['Design', 'design*|ux|ui|creative|artist*|art director'],
  [
    'Health Care',
    'nurs*|physician|medical|clinical|doctor|surgeon|patient|pharmac*|health*|therap*|dental|' +
      'hospital',
  ],
  ['Research', 'research*|scientist|science|laboratory|r d'],
  [
    'Education',
    'academic*|dean|provost|professor|teacher|lecturer|school|education*|campus|college|' +
      'university|superintendent|principal|registrar|admission*|student*|faculty|curriculum|' +
      'instruct*|chancellor|rector|headmaster|training|librar*|learning|enrollment|program',
  ],
  [
    'Procurement',
    'procurement|purchasing|buyer|sourcing|supply chain|logistics|einkauf*|warehouse|materials',
  ],
  ['Quality', 'quality|qa|qualitaet*|test*'],
  [
    'Operations',
    'operations|operating|coo|facilities|plant|production|manufacturing|project|maintenance|' +
      'construction|fleet|safety|betrieb*|center|regional|region|district|area',
  ],
  [
    'Administration',
    'administrat*|assistant|secretary|office|clerk|receptionist|secretariat|coordinator',
  ],
  [
    'Executive',
    'chief executive|ceo|president|owner|founder|co founder|cofounder|managing director|' +
      'executive|chair|chairman|chairwoman|chairperson|geschaeftsfuehrer*|general manager|' +
      'director|chief|managing|proprietor|partner|board',
  ],
];

/** Every job level of the table, without duplicates. */
export const jobLevels: readonly string[] = [...new Set(levelRules.map(([label]) => label))];
/** Every job function of the table. */
export const jobFunctions: readonly string[] = functionRules.map(([label]) => label);

type Matcher = readonly [label: string, fits: RegExp];

function compile([label, words]: Rule): Matcher {
  const alternatives = words.split('|').map((word) => word.replace(/\*$/, '[a-z]*'));
  return [label, new RegExp(` (?:${alternatives.join('|')}) `)];
}
const levels = levelRules.map(compile);
const functions = functionRules.map(compile);

const known = new Map<string, TitleClass>();
const knownMax = 50_000;

// Titles without accents or dots are folded without Unicode tables, which cost eight times more.
const plainTitle = /^[\w ,&'()/-]*$/;

/** A title's words in lower case, one space between them. */
function foldTitle(title: string): string {
  const lower = title.toLowerCase();
  if (plainTitle.test(lower)) return lower.replace(/[^a-z0-9]+/g, ' ').trim();
  return (
    lower
      .replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? letter)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      // C.E.O. is one word.
      .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

/** Classifies a title. Titles repeat, so results are cached. */
export function classifyTitle(title: string): TitleClass {
  const answered = known.get(title);
  if (answered) return answered;
  const words = ` ${foldTitle(title)} `;
  const find = (rules: readonly Matcher[]) => rules.find(([, fits]) => fits.test(words))?.[0];
  const jobFunction = find(functions) ?? null;
  const found = { jobFunction, jobLevel: find(levels) ?? (jobFunction && 'Staff') };
  if (known.size >= knownMax) known.clear();
  known.set(copyText(title), found);
  return found;
}
