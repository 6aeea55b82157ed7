/**
 * The words of company names: legal forms, abbreviations, filler, listings. Data, compared after
 * folding.
 */

/** Words with one meaning in a company's name, one line each; the first replaces the others. */
const sameWords = `
  universities university universidad uni u univ
  colleges college coll
  community comm
  technological technical technology technologies tech
  institution institute institutes inst
  international intl
  national natl
  departments department dpt dept
  government govt governor governors gov
  association assoc associates assn
  centers center centre ctr
  hospitals hospital hosp
  medicine medical med
  services service svcs serv svc
  management mgt mgmt
  manufacturing mfg
  systems system sys
  schools school sch
  academies academy acad
  seminary sem
  district dist
  brothers bros
  laboratories laboratory labs lab
  groups group grp
  representatives representative reps
  delegates delegate dels
  development dev
  administration admin
  foundation fdn
  company co
  corporation corp
  incorporated inc
  limited ltd
  engineering eng
  communications communication comms
  entertainment enterprises enterprise ent
  financial finance fin finl
  industries industrial ind
  insurance ins
  investments investment inv
  pharmaceuticals pharmaceutical pharma
  products product prod
  properties property prop
  solutions solution soln
  resources resource res
  research rsch
  american america am amer
  partners partner ptnr
  county cnty
  township twp
  sainte saint st
  mountain mount mt
  fort ft
  north n
  south s
  east e
  west w
  general gen
  legislature leg
  educational education ed
  healthcare health hlth
  attorney atty
  authority auth
  board bd
  bancorporation bancorp
  holdings holding hldg
  commission commn
  committee cmte
  council cncl
  offices office ofc off
  organization organisation org
  sciences science sci
  studies stud
  professional prof
  career car
  vocational voc
  elementary elem
  federal fed
  metropolitan metro
  memorial mem
  regional reg
  rehabilitation rehab
  surgery surg
  assembly assy
  ministry minister min
  secretary sec
  senate sen
  commissioner commr
  superintendent supt
  lieutenant lt
  alabama alab ala
  arizona ariz az
  arkansas ark
  california calif cal ca
  colorado colo
  connecticut conn ct
  delaware dela
  florida fla fl
  illinois ill il
  kansas kans ks
  massachusetts mass
  michigan mich mi
  minnesota minn mn
  mississippi miss
  montana mont
  nebraska nebr neb
  nevada nev nv
  oklahoma okla
  oregon ore oreg
  pennsylvania penn penna
  tennessee tenn tn
  texas tex tx
  washington wash
  wisconsin wis wisc wi
  wyoming wyo wy
  georgia ga
  ohio oh
  utah ut
  kentucky ky
  iowa ia
  vermont vt
  alaska ak
  virginia va
  software sw
  theological theol
  one 1
  two 2
  three 3
  four 4
  five 5
  six 6
  seven 7
  eight 8
  nine 9
  ten 10
  eleven 11
  twelve 12
  first 1st
  second 2nd
  third 3rd
  fourth 4th
  fifth 5th
  sixth 6th
  seventh 7th
  eighth 8th
  ninth 9th
  tenth 10th
`;

/** Each word of those lines → the word that replaces it. */
export const wordForms: ReadonlyMap<string, string> = new Map(
  sameWords
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap((line) => line.map((word): [string, string] => [word, line[0]!])),
);

/** Runs of words that count as one word: the last entry. */
export const wordRuns: readonly (readonly string[])[] = [
  ['united', 'states', 'of', 'america', 'us'],
  ['united', 'states', 'us'],
  ['u', 's', 'a', 'us'],
  ['u', 's', 'us'],
  ['united', 'kingdom', 'uk'],
  ['u', 'k', 'uk'],
  ['health', 'care', 'health'],
  ['new', 'york', 'ny'],
  ['new', 'jersey', 'nj'],
  ['new', 'hampshire', 'nh'],
  ['new', 'mexico', 'nm'],
  ['north', 'carolina', 'nc'],
  ['north', 'dakota', 'nd'],
  ['south', 'carolina', 'sc'],
  ['south', 'dakota', 'sd'],
  ['west', 'virginia', 'wv'],
  ['rhode', 'island', 'ri'],
  ['puerto', 'rico', 'pr'],
  ['n', 'carolina', 'nc'],
  ['n', 'dakota', 'nd'],
  ['s', 'carolina', 'sc'],
  ['s', 'dakota', 'sd'],
  ['w', 'virginia', 'wv'],
];

/** What a stock exchange appends to a name; it is removed together with everything after it. */
export const listingPhrase = new RegExp(
  `[\\s,-]+(?:${[
    'class [a-z]\\b',
    'common (?:stock|shares?|units?)',
    'ordinary shares?',
    'american deposit[ao]ry',
    'depositary (?:shares?|receipts?|units?)',
    '(?:sponsored )?adrs?\\b',
    'units?,? each',
    'warrants?\\b',
    'rights?\\b each',
    'preferred (?:stock|shares?)',
    'shares of beneficial',
    'each representing',
  ].join('|')}).*$`,
);

/** What introduces another name of a company, folded: "X DBA Y", "X, vormals Y". */
export const otherNameBreak =
  /[\s,;(]+(?:d\/?b\/?a|d\.b\.a\.?|doing business as|trading as|t\/a|formerly(?: known as)?|f\/?k\/?a|a\/?k\/?a|also known as|ehemals|vormals|anciennement|voorheen|dawniej|tidigare|tidligere|anteriormente|eski adiyla|бывш(?:ий|ая|ее|\.)|ранее)[\s:]+/;

/** What introduces it in brackets only: elsewhere these are words of names. */
export const bracketedName =
  /\((?:ex|previously|now|antes|ahora|gia|ora|fruher|jetzt|maintenant|nu|теперь|旧|元|现|原|구)[\s:-]*([^()]+)\)/;
