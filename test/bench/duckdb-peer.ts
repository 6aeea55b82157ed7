/**
 * The baseline of the benchmark: DuckDB reads the list and matches it with the same blocks and
 * Jaro-Winkler, in SQL.
 */
import { DuckDBInstance } from '@duckdb/node-api';
import type { Generated } from './generate.ts';

const suffixes = `'( (inc|llc|corp|corporation|co|ltd|limited|plc|llp|gmbh|ag|kg|sas|sarl|sa|bv|nv|sl|spa|srl|ab|pty|pvt|private|kk|ltda))+$'`;
const companyKey = (text: string) =>
  `replace(regexp_replace(regexp_replace(lower(strip_accents(${text})),'[^a-z0-9 ]','','g'),${suffixes},''),' ','')`;
const nameKey = (text: string) => `lower(strip_accents(trim(${text})))`;
const score = `0.6*(0.45*jaro_winkler_similarity(f,fk)+0.55*jaro_winkler_similarity(l,lk))
  +0.4*(case when c=ck then 1 else jaro_winkler_similarity(c,ck) end)`;
const block = (on: string) => `select row_ref,pid,${score} s from rest join d on ${on}`;

/** The baseline's time and matches. */
export interface PeerResult {
  readonly readAndMatchMs: number;
  readonly matched: number;
}

/** Loads the directory (not timed), then times reading the list and matching it on `threads`. */
export async function runPeer(files: Generated, threads: number): Promise<PeerResult> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  const run = (sql: string) => connection.run(sql);
  await run(
    `create table d as select person_id pid,
       ${nameKey('first_name')} fk, ${nameKey('last_name')} lk,
       ${companyKey('organization')} ck, email, is_current cur, profile_url url
     from read_csv('${files.people}', all_varchar=true)`,
  );
  const startedAt = performance.now();
  await run(
    `create table inp as select row_ref, ${nameKey('first_name')} f, ${nameKey('last_name')} l,
       lower(email) em, profile_url url, ${companyKey('company_name')} c
     from read_csv('${files.list}', all_varchar=true)`,
  );
  await run(
    `create table m as select row_ref, arg_max(pid,s) pid, max(s) s from (
       select row_ref,pid,3.0 s from inp i join d on d.url=i.url and d.cur='1'
       union all select row_ref,pid,2.0 from inp i join d on d.email=i.em) group by row_ref`,
  );
  await run(`create table rest as select * from inp where row_ref not in (select row_ref from m)`);
  await run(
    `insert into m select row_ref, arg_max(pid,s), max(s) from (
       ${block('d.ck=rest.c and d.lk=rest.l')} union all ${block('d.ck=rest.c and d.fk=rest.f')}
       union all ${block('d.fk=rest.f and d.lk=rest.l')}) where s>=0.93 group by row_ref`,
  );
  const readAndMatchMs = performance.now() - startedAt;
  const counted = await connection.runAndReadAll('select count(*) from m');
  connection.closeSync();
  instance.closeSync();
  return { readAndMatchMs, matched: Number(counted.getRows()[0]?.[0] ?? 0) };
}
