// The baselines of the benchmark in DuckDB: SQL with exact keys and Jaro-Winkler here, a
// probabilistic model in linkage-model.ts. Loading the directory is not timed.
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Generated } from './generate.ts';

const suffixes = `'( (inc|llc|corp|corporation|co|ltd|limited|plc|llp|gmbh|ag|kg|sas|sarl|sa|bv|nv|sl|spa|srl|ab|pty|pvt|private|kk|ltda))+$'`;
export const companyKey = (text: string) =>
  `replace(regexp_replace(regexp_replace(lower(strip_accents(${text})),'[^a-z0-9 ]','','g'),${suffixes},''),' ','')`;
const nameKey = (text: string) => `lower(strip_accents(trim(${text})))`;
const score = `0.6*(0.45*jaro_winkler_similarity(f,fk)+0.55*jaro_winkler_similarity(l,lk))
  +0.4*(case when c=ck then 1 else jaro_winkler_similarity(c,ck) end)`;
const block = (on: string) => `select row_ref,pid,${score} s from rest join d on ${on}`;

/** A text as a string of SQL. */
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A baseline with its directory loaded. */
export interface Peer {
  readonly connection: DuckDBConnection;
  /** Reads a list and matches it: the table m has row_ref and pid of each answer. */
  match(list: string): Promise<void>;
  /** Writes the list that was matched, with what the directory has of each person, as CSV. */
  save(list: string, target: string): Promise<void>;
  /** The person of each answered row. */
  readAnswers(): Promise<Map<string, string>>;
  close(): void;
}

/** The rows of CSV files with the same or other columns. */
export const readFiles = (paths: readonly string[]): string =>
  `read_csv([${paths.map(quote).join(',')}], all_varchar=true, union_by_name=true)`;

/**
 * Opens a database with the people of files.
 * @param load SQL that makes the tables of the method from the table "people"
 * @param match SQL that makes the table m from a list
 */
export async function openPeer(
  people: readonly string[],
  threads: number,
  load: readonly string[],
  match: (list: string) => readonly string[],
): Promise<Peer> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  const runAll = async (statements: readonly string[]) => {
    for (const sql of statements) await connection.run(sql);
  };
  await runAll([`create table people as select * from ${readFiles(people)}`, ...load]);
  return {
    connection,
    match: (list) => runAll(match(readFiles([list]))),
    save: (list, target) =>
      runAll([
        `copy (select i.*, p.* from ${readFiles([list])} i left join m using (row_ref) left join (
           select person_id, arg_max(columns([
             'first_name','last_name','title','organization','email']), is_current)
           from people group by person_id) p on p.person_id=m.pid) to ${quote(target)} (header)`,
      ]),
    async readAnswers() {
      const read = await connection.runAndReadAll('select row_ref, pid from m');
      return new Map(read.getRows() as [string, string][]);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Opens the baseline with exact keys, and Jaro-Winkler among those who share two of them. */
export const openExactPeer = (people: readonly string[], threads: number): Promise<Peer> =>
  openPeer(
    people,
    threads,
    [
      `create table d as select person_id pid,
         ${nameKey('first_name')} fk, ${nameKey('last_name')} lk,
         ${companyKey('organization')} ck, email, is_current cur, profile_url url from people`,
    ],
    (list) => [
      `create or replace table inp as select row_ref, ${nameKey('first_name')} f,
         ${nameKey('last_name')} l, lower(email) em, profile_url url,
         ${companyKey('company_name')} c from ${list}`,
      `create or replace table m as select row_ref, arg_max(pid,s) pid, max(s) s from (
         select row_ref,pid,3.0 s from inp i join d on d.url=i.url and d.cur='1'
         union all select row_ref,pid,2.0 from inp i join d on d.email=i.em) group by row_ref`,
      `create or replace table rest as
         select * from inp where row_ref not in (select row_ref from m)`,
      `insert into m select row_ref, arg_max(pid,s), max(s) from (
         ${block('d.ck=rest.c and d.lk=rest.l')} union all ${block('d.ck=rest.c and d.fk=rest.f')}
         union all ${block('d.fk=rest.f and d.lk=rest.l')}) where s>=0.93 group by row_ref`,
    ],
  );

/** The time of the baseline with exact keys for reading and matching the generated list, in ms. */
export async function timeExactPeer(files: Generated, threads: number): Promise<number> {
  const peer = await openExactPeer([files.people], threads);
  const startedAt = performance.now();
  await peer.match(files.list);
  const readAndMatchMs = performance.now() - startedAt;
  peer.close();
  return readAndMatchMs;
}
