// A probabilistic baseline in DuckDB, as Splink builds it (moj-analytical-services/splink):
// blocking rules, comparisons in levels, the weights of Fellegi and Sunter, and the frequencies of
// terms. Training is not timed, and easier than a user's: from rows whose truth is known.
import { companyKey, openPeer, type Peer, readFiles } from './duckdb-peer.ts';

/** A list and the true person of each row; rows without one are left out. */
export interface TrainingList {
  readonly path: string;
  readonly rows: number;
  readonly truth: ReadonlyMap<string, string>;
}

/** How two values of a column are compared: the levels from the most equal one. */
interface Comparison {
  readonly column: string;
  readonly levels: readonly string[];
  /** Whether the first level weighs by how common the value is. */
  readonly isByFrequency?: boolean;
}

const similar = (column: string, least: number) =>
  `jaro_winkler_similarity(i.${column}, d.${column}) >= ${least}`;
const named = (column: string, ...least: readonly number[]): Comparison => ({
  column,
  levels: [`i.${column} = d.${column}`, ...least.map((one) => similar(column, one))],
  isByFrequency: true,
});
const exact = (column: string): Comparison => ({ column, levels: [`i.${column} = d.${column}`] });

/** The levels are those of Splink's comparisons of names and of emails. */
const comparisons: readonly Comparison[] = [
  named('first', 0.92, 0.88, 0.7),
  named('last', 0.92, 0.88, 0.7),
  named('company', 0.92, 0.88, 0.7),
  {
    column: 'email',
    levels: [
      'i.email = d.email',
      "split_part(i.email,'@',1) = split_part(d.email,'@',1)",
      similar('email', 0.88),
      'i.domain = d.domain',
    ],
  },
  exact('url'),
  exact('phone'),
  named('title', 0.88),
];

/** What two sides must share to be compared: columns, of which a number cuts off the rest. */
const blocks: readonly (readonly (string | readonly [column: string, characters: number])[])[] = [
  ['email'],
  ['url'],
  ['phone'],
  [
    ['first', 3],
    ['last', 4],
  ],
  ['company', ['first', 2]],
  ['company', ['last', 2]],
  ['last', 'domain'],
];

const letters = (text: string) =>
  `nullif(trim(regexp_replace(lower(strip_accents(${text})),'[^a-z]+',' ','g')),'')`;
const host = (text: string) =>
  `regexp_extract(lower(trim(${text})), '^(?:https?://)?(?:www\\.)?([^/?#@ ]+\\.[^/?#@ ]+)', 1)`;
/** The columns that are compared, of a list or of the directory. */
const readColumns = (organization: string, domain: string) => `
  ${letters('first_name')} as first, ${letters('last_name')} as last,
  nullif(${companyKey(organization)},'') as company, nullif(lower(trim(email)),'') as email,
  nullif(${domain},'') as domain,
  nullif(regexp_replace(lower(trim(profile_url)),
    '^(https?://)?(www\\.)?|[/?#]+$','','g'),'') as url,
  nullif(right(regexp_replace(phone,'[^0-9]','','g'),9),'') as phone,
  ${letters('title')} as title`;

/** The number of the level: 0 is "all other", null if a side has no value. */
const levelOf = ({ column, levels }: Comparison): string =>
  `case when i.${column} is null or d.${column} is null then null
   ${levels.map((level, at) => `when ${level} then ${levels.length - at}`).join(' ')} else 0 end`;
const allLevels = comparisons.map((one) => `${levelOf(one)} as ${one.column}_level`).join(', ');

const mailHost = "split_part(lower(email),'@',2)";
const listHost = `coalesce(nullif(${host('company_domain')},''), ${mailHost})`;
const readList = (list: string): string => `create or replace table inp as select row_ref,
  ${readColumns('company_name', listHost)}
  from ${list}`;
const keyOf = (side: string, part: (typeof blocks)[number][number]): string =>
  typeof part === 'string' ? `${side}.${part}` : `left(${side}.${part[0]}, ${part[1]})`;
const pairRows = blocks
  .map((parts) => {
    const on = parts.map((part) => `${keyOf('i', part)} = ${keyOf('d', part)}`).join(' and ');
    return `select i.row_ref, d.entry from inp i join d on ${on}`;
  })
  .join(' union ');

/** The weight of a comparison, in bits: the logarithm of m / u. */
const weightOf = ({ column, levels, isByFrequency }: Comparison): string => {
  const weights = `(select list(bits order by level) from weight where name = '${column}')`;
  const bits = `coalesce(${weights}[g.${column}_level + 1], 0)`;
  return isByFrequency
    ? `${bits} + case when g.${column}_level = ${levels.length}
       then coalesce(g.${column}_rarity, 0) else 0 end`
    : bits;
};
const rarities = comparisons
  .filter(({ isByFrequency }) => isByFrequency)
  .map(({ column }) => `d.${column}_rarity`);

/** Scores all pairs; the table "best" has the person of the highest weight, unless two share it. */
const scoreRows: readonly string[] = [
  `create or replace table scored as select row_ref, pid, max(bits) bits from (
     select row_ref, pid, (select prior from model) + ${comparisons.map(weightOf).join(' + ')} bits
     from (select i.row_ref, d.pid, ${allLevels}, ${rarities.join(', ')}
           from (${pairRows}) pair join inp i using (row_ref) join d using (entry)) g)
   group by row_ref, pid`,
  `create or replace table best as select row_ref, arg_max(pid,bits) pid, max(bits) bits
   from scored group by row_ref having count(*) = 1 or max(bits,2)[1] > max(bits,2)[2]`,
];

/** Counts the levels of pairs of rows of a list (i) and of the directory (d). */
const countLevels = (pairs: string): string =>
  comparisons
    .map(
      (one) => `select '${one.column}' as name, ${levelOf(one)} as level, count(*) as n
        from ${pairs} where i.${one.column} is not null and d.${one.column} is not null group by 2`,
    )
    .join(' union all ');
const shares = (counted: string): string =>
  `select l.name, l.level,
     (coalesce(n,0)+0.5) / sum(coalesce(n,0)+0.5) over (partition by l.name) as share
   from level l left join (${counted}) c on c.name = l.name and c.level = l.level`;

/** The employments of the true persons, of each the one most like the company of the row. */
const truePairs = `select i.row_ref, d.entry
  from truth t join inp i using (row_ref) join d using (pid)
  qualify row_number() over (partition by i.row_ref
    order by jaro_winkler_similarity(i.company, d.company) desc nulls last) = 1`;
const joinedPairs = 'true_pair join inp i using (row_ref) join d using (entry)';
const randomSample = 'using sample reservoir(2000 rows) repeatable (1)';

/** Learns m from true pairs, u from random pairs, the prior, and the threshold of the best F1. */
async function train({ connection }: Peer, { path, rows, truth }: TrainingList): Promise<void> {
  const appender = await connection.createAppender('truth');
  for (const [row, person] of truth) {
    appender.appendVarchar(row);
    appender.appendVarchar(person);
    appender.endRow();
  }
  appender.closeSync();
  const levels = comparisons.flatMap(({ column, levels: { length } }) =>
    Array.from({ length: length + 1 }, (_level, at) => `('${column}',${at})`),
  );
  for (const sql of [
    readList(readFiles([path])),
    `create table level as select * from (values ${levels.join(',')}) as v(name, level)`,
    `create table true_pair as ${truePairs}`,
    `create table m_share as ${shares(countLevels(joinedPairs))}`,
    `create table random_row as select * from inp ${randomSample}`,
    `create table random_person as select * from d ${randomSample}`,
    `create table u_share as ${shares(countLevels('random_row i cross join random_person d'))}`,
    `create table weight as select m.name, m.level, log2(m.share / u.share) as bits
     from m_share m join u_share u on u.name = m.name and u.level = m.level`,
    `create table model as select log2(${truth.size / rows} / count(distinct pid)) as prior from d`,
    ...comparisons
      .filter(({ isByFrequency }) => isByFrequency)
      .map(
        ({ column, levels: { length } }) => `update d set ${column}_rarity = log2(u.share / f.share)
        from (select ${column} as value, count(*) / (select count(${column}) from d) as share
              from d group by 1) f, u_share u
        where f.value = d.${column} and u.name = '${column}' and u.level = ${length}`,
      ),
    ...scoreRows,
    `create table threshold as select bits from (
       select bits, 2 * sum((t.pid is not null and t.pid = b.pid)::int) over w /
         (count(*) over w + ${truth.size}) as f1
       from best b left join truth t using (row_ref) window w as (order by bits desc))
     order by f1 desc, bits desc limit 1`,
  ])
    await connection.run(sql);
}

/** Opens the baseline and trains it. */
export async function openLinkageModel(
  people: readonly string[],
  threads: number,
  training: TrainingList,
): Promise<Peer> {
  const columns = readColumns('organization', mailHost);
  const load = [
    `create table d as select row_number() over () as entry, person_id as pid, ${columns},
       ${rarities.map((name) => `0.0::double as ${name.slice(2)}`).join(', ')} from people`,
    'create table truth (row_ref varchar, pid varchar)',
  ];
  const match = (list: string) => [
    readList(list),
    ...scoreRows,
    `create or replace table m as
     select row_ref, pid from best where bits >= (select bits from threshold)`,
  ];
  const peer = await openPeer(people, threads, load, match);
  await train(peer, training);
  return peer;
}
