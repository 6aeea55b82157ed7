// The words around names: titles, generations, degrees, particles. Data, compared after folding.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

export const courtesyTitles = words(`
  mr mrs ms miss mx mister dr doctor prof professor rev reverend revd fr pastor rabbi imam
  hon honorable honourable rt right the sir dame rep representative sen senator del delegate
  asm assemblymember assemblyman assemblywoman congressman congresswoman cllr councillor
  councilmember councilman councilwoman gov governor ltgov mayor pres president amb ambassador
  capt captain col colonel gen general maj sgt sergeant cpl lt lieutenant cmdr commander adm
  admiral ing dipl mag herr frau monsieur mme mlle madame senor senora sr sra srta don dona
  signor signora dott dottssa lord lady baroness baron viscount viscountess
`);

/** Titles in the place of a first name: "Lord McFall of Alcluith". */
export const peerTitles = words('lord lady baroness baron viscount viscountess dame sir');

/** Generation words after a name → their code; different codes are different people. */
export const generations: ReadonlyMap<string, number> = new Map([
  ['jr', 1],
  ['jnr', 1],
  ['junior', 1],
  ['sr', 2],
  ['snr', 2],
  ['senior', 2],
  ['ii', 3],
  ['2nd', 3],
  ['iii', 4],
  ['3rd', 4],
  ['iv', 5],
  ['4th', 5],
]);

export const degrees = words(`
  phd dphil edd md do dds dmd dvm od pharmd psyd jd llb llm llm esq esquire mba mpa mph msc meng
  bsc beng ba bs ma ms mfa med msw mdiv thm cpa cfa cfp cma cia cisa cissp pmp phr sphr shrm
  shrmcp shrmscp pe rn np pa bsn msn lcsw lpc ccim obe cbe mbe kbe dbe gbe ch kc qc mp msp mep
  frs fca aca acca cipd fcipd mcipd ret retired usn usaf usmc usa dsc dlitt emba csm ccna
`);

/** Words that belong to the surname after them. */
export const particles = words(`
  de del della delle di da do dos das du la le les lo van von der den ter ten vander vande al el
  bin ibn ben bint abu st saint san santa mac mc af av zu zum zur y e
`);

/** Words that introduce the territory of a surname: "McFall of Alcluith". */
export const territoryWords = words('of');

/** Pronouns behind a name: "(she/her)". */
export const pronouns =
  /[([]?\s*\b(?:he|she|they|ze|xe|sie|er|elle|il|iel|ella|él|lui|lei|hij|zij|hon|han|hen)\s*\/\s*(?:him|her|hers|his|them|they|theirs|ihr|ihm|elle|elles|lui|iel|ella|el|él|lei|hem|haar|henne|honom|hen)(?:\s*\/\s*\p{L}+)?\s*[)\]]?/giu;
