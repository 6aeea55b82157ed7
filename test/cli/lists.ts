// Small lists for command line tests: a directory, and rows to enrich.

/** Three people: one who stayed, one who moved, one who left. */
export const people = [
  'person_id,first_name,last_name,organization,org_id,title,start,end,is_current,email,phone',
  'p1,Ada,Byron,Analytical Engines,c1,Programmer,2019,,1,ada@analytical.example,+1-256-372-5000',
  'p2,Grace,Murray,Analytical Engines,c1,Officer,2010,2018,0,,',
  'p2,Grace,Murray,Compilers United,c2,Director of Languages,2018,,1,grace@compilers.example,',
  'p3,Alan,Mathison,Compilers United,c2,Reader,2008,2015,0,,',
  '',
].join('\n');

export const companies = [
  'org_id,name,industry,street,city,state,postal,country,phone,website',
  'c1,Analytical Engines,Computing,1 Mill Road,Normal,AL,35762,US,+1-256-372-4000,',
  'c2,Compilers United,Computing,2 Navy Yard,Arlington,VA,22201,US,+1-703-555-0100,',
  '',
].join('\n');

/**
 * Four rows: two to enrich, one of an unknown person, one without a name; with own cells to keep.
 */
export const contacts = [
  'Ref,First Name,Last Name,Company,Work Email,Note',
  '1,Ada,Byron,Analytical Engines,ada@analytical.example,"keeps, commas"',
  '2,Grace,Murray,Analytical Engines,,=1+1',
  '3,Nobody,Known,Nowhere Ltd,nobody@nowhere.example,007',
  '4,,,,,+49 30 1234',
  '',
].join('\n');
