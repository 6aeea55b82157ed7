/**
 * The words of company names: legal forms, abbreviations, filler, listings. Data, compared after
 * folding.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Legal forms, dropped from the end of a name. */
export const legalForms = words(`
  inc incorporated llc llp lp lllp pllc pc corp corporation co company cos companies ltd limited
  plc gmbh ag kg kgaa ohg ug mbh se sa sas sarl sasu snc spa srl srls bv nv cv vof ab as asa aps
  oy oyj kk gk pty pte pvt private ltda eireli sl slu sab cv sapi rl sc sociedad anonima ev eg
  zrt kft doo dd ad ooo oao zao pao sro spzoo jsc pjsc bhd sdn tbk pt public holdings holding trust
`);

/** Words without weight in a name. */
export const fillerWords = words('of the and for at in on de la le les los las el du des y et und');

/** Each word of a pair is written as its short form. */
export const shortForms: ReadonlyMap<string, string> = new Map(
  `university:univ universities:univ universidad:univ uni:univ u:univ college:coll colleges:coll
  community:comm cmty technical:tech technology:tech technologies:tech technological:tech
  institute:inst institution:inst institutes:inst international:intl national:natl
  department:dept departments:dept dpt:dept government:gov govt:gov association:assn assoc:assn
  associates:assn center:ctr centre:ctr centers:ctr hospital:hosp hospitals:hosp medical:med
  medicine:med services:svc service:svc svcs:svc serv:svc management:mgmt mgt:mgmt
  manufacturing:mfg system:sys systems:sys school:sch schools:sch academy:acad academies:acad
  seminary:sem district:dist brothers:bros laboratory:lab laboratories:lab labs:lab group:grp
  groups:grp representatives:reps representative:reps delegates:dels delegate:dels
  development:dev administration:admin foundation:fdn company:co corporation:corp
  incorporated:inc limited:ltd engineering:eng communications:comms communication:comms
  entertainment:ent enterprises:ent enterprise:ent financial:fin finance:fin industries:ind
  industrial:ind insurance:ins investments:inv investment:inv pharmaceuticals:pharma
  pharmaceutical:pharma products:prod product:prod properties:prop property:prop
  solutions:soln solution:soln resources:res resource:res research:rsch america:am american:am
  partners:ptnr partner:ptnr county:cnty township:twp saint:st sainte:st mount:mt mountain:mt
  fort:ft north:n south:s east:e west:w general:gen legislature:leg education:ed educational:ed
  healthcare:health attorney:atty authority:auth board:bd bancorporation:bancorp
  holdings:hldg holding:hldg commission:commn committee:cmte council:cncl office:off
  organization:org organisation:org sciences:sci science:sci studies:stud professional:prof
  career:car vocational:voc elementary:elem federal:fed metropolitan:metro metro:metro
  memorial:mem regional:reg rehabilitation:rehab surgery:surg
  assembly:assy ministry:min minister:min secretary:sec senate:sen commissioner:commr
  superintendent:supt lieutenant:lt governor:gov governors:gov office:off ofc:off offices:off
  alab:alabama ala:alabama ariz:arizona ark:arkansas calif:california cal:california
  colo:colorado conn:connecticut dela:delaware fla:florida ill:illinois kans:kansas
  mass:massachusetts mich:michigan minn:minnesota miss:mississippi mont:montana nebr:nebraska
  neb:nebraska nev:nevada okla:oklahoma ore:oregon oreg:oregon penn:pennsylvania
  penna:pennsylvania tenn:tennessee tex:texas wash:washington wis:wisconsin wisc:wisconsin
  wyo:wyoming ca:california tx:texas fl:florida ga:georgia il:illinois mi:michigan oh:ohio
  az:arizona nv:nevada ut:utah ky:kentucky tn:tennessee wi:wisconsin mn:minnesota
  ia:iowa ks:kansas vt:vermont ct:connecticut wy:wyoming ak:alaska va:virginia software:sw theological:theol`
    .split(/\s+/)
    .map((pair) => pair.split(':'))
    .filter((pair): pair is [string, string] => pair.length === 2),
);

/** Runs of words that are one: written as the last entry. */
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

/** What a stock exchange writes behind a name; everything from there on is dropped. */
export const listingPhrase =
  /(?:[\s,-]+(?:class [a-z]\b|common (?:stock|shares?|units?)|ordinary shares?|american deposit[ao]ry|depositary (?:shares?|receipts?|units?)|(?:sponsored )?adrs?\b|units? each|units?,? each|warrants?\b|rights?\b each|preferred (?:stock|shares?)|shares of beneficial|each representing)).*$/;

/** Where the other name of a company begins: "X DBA Y". */
export const otherNameBreak =
  /\s(?:d\/?b\/?a|doing business as|formerly(?: known as)?|f\/?k\/?a|a\/?k\/?a)\s/;
