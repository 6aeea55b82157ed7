/** Words of organisations that organisation-tokens.ts writes in one form. Data, compared folded. */

const listed = (text: string): readonly string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));

/**
 * Translations and abbreviations beyond those of company-words.ts; the first word of a line stands
 * for the others and is the first word of the same line there.
 */
const translations = `
  universities universidade universitat universita universite universiteit
  colleges colegio colle clg
  community communal
  technological tecnologico tecnica technique
  institution institutes instituto institut
  international internacional
  national nacional
  departments departement dpt departamento
  government gobierno govt gov
  governor gobernador gouverneur
  centers centro zentrum
  hospitals krankenhaus hopital
  medicine medico
  schools escuela ecole schule
  academies academia akademie
  seminary seminario
  representatives rep representantes representants deputies
  delegates delegate dels delegado delegados
  senate senado senat
  house hse haus camara chambre casa
  city ciudad ville stadt cty
  state estado etat staat
  offices off oficina bureau buro
  county condado
  sainte san santo santa
  mountain mt mount
  north norte nord
  south sur sud
  east est
  west oeste ouest
  new nueva nouveau neu nuevo
  educational ed educacion
  attorney atty
  sciences ciencias
  healthcare salud
  assembly asamblea assemblee
  ministry ministerio ministere ministerium
  american americano
  beauty beaute
  cosmetology cosmo
  united unidos unis vereinigte
  culinary cul
  arts art
  business bus
  christian chr
  polytechnic poly
  mayor mayors alcalde
  engineering eng
  island isl
  development dev
`;

/** Word → its canonical form. */
export const translatedForms: ReadonlyMap<string, string> = new Map(
  listed(translations).flatMap((line) => line.map((word): [string, string] => [word, line[0]!])),
);

/** Words at the end of a name that say what it is, never who. */
export const legalWords: ReadonlySet<string> = new Set(
  (
    'inc incorporated llc llp lp corp corporation co company ltd limited plc gmbh ag sa sas srl ' +
    'bv ' +
    'nv ab pty pc pllc group holdings org edu com net'
  ).split(' '),
);

/** Code of a state → its name. */
export const stateNames: ReadonlyMap<string, string> = new Map(
  `
  al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware
  fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky
  la louisiana|me maine|md maryland|ma massachusetts|mi michigan|mn minnesota|ms mississippi
  mo missouri|mt montana|ne nebraska|nv nevada|nh new hampshire|nj new jersey|nm new mexico
  ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|pa pennsylvania
  pr puerto rico|ri rhode island|sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah
  vt vermont|va virginia|wa washington|wv west virginia|wi wisconsin|wy wyoming
  `
    .trim()
    .split(/[|\n]/)
    .map((entry) => entry.trim())
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
);

/** Other ways to write a state → its code. */
export const stateAbbreviations: ReadonlyMap<string, string> = new Map(
  (
    'calif ca|penn pa|penna pa|mass ma|conn ct|tenn tn|mich mi|minn mn|wis wi|wisc wi|ariz az|' +
    'ill il|ind in|okla ok|ore or|tex tx|fla fl|wash wa|kans ks|nebr ne|mont mt|colo co|ala al|' +
    'ark ar|kalifornien ca|californie ca|virginie va|floride fl|georgie ga|luisiana la|' +
    'louisiane la|pensilvania pa|pennsylvanie pa|hawai hi|misuri mo|misisipi ms'
  )
    .split('|')
    .map((entry) => entry.split(' ') as [string, string]),
);

/** Runs of folded words → what they are written as. */
export const phrases: readonly (readonly [phrase: string, form: string])[] = (
  'united states of america=us|united states=us|estados unidos=us|u s a=us|u s=us|usa=us|' +
  'united kingdom=uk|health care=health|camara representantes=house representatives|' +
  'reprasentantenhaus=house representatives|repraesentantenhaus=house representatives|' +
  'unterhaus=house commons|oberhaus=house lords|camara de los comunes=house commons|' +
  'chambre des communes=house commons|chambre des lords=house lords|' +
  'camara de los lores=house lords|nueva york=new york|nuevo mexico=new mexico|' +
  'carolina del norte=north carolina|carolina del sur=south carolina|' +
  'dakota del norte=north dakota|dakota del sur=south dakota|' +
  'virginia occidental=west virginia|nueva jersey=new jersey|nuevo hampshire=new hampshire|' +
  'hor=house representatives|h o r=house representatives|house reps=house representatives'
)
  .split('|')
  .map((entry) => entry.split('=') as [string, string]);
