// Words for the names of generated people: real names first, syllables for the rest.

/** Usual first names, the commonest first. */
export const usualFirstNames: readonly string[] = (
  'james mary robert patricia john jennifer michael linda david elizabeth william barbara ' +
  'richard susan joseph jessica thomas sarah christopher karen charles lisa daniel nancy ' +
  'matthew betty anthony sandra mark margaret donald ashley steven kimberly andrew emily paul ' +
  'donna joshua michelle kenneth carol kevin amanda brian melissa timothy deborah ronald ' +
  'stephanie george rebecca jason sharon edward laura jeffrey cynthia ryan dorothy jacob amy ' +
  'nicholas kathleen gary angela eric shirley jonathan emma stephen brenda larry pamela justin ' +
  'nicole scott anna brandon samantha benjamin katherine samuel christine gregory helen ' +
  'alexander debra patrick rachel frank carolyn raymond janet jack maria dennis catherine ' +
  'jerry heather tyler diane aaron olivia jose julie adam joyce nathan victoria henry ruth ' +
  'zachary virginia douglas lauren peter kelly kyle christina noah joan ethan evelyn jeremy ' +
  'judith walter andrea christian hannah keith megan roger cheryl terry jacqueline austin ' +
  'martha sean madison gerald teresa carl gloria harold sara dylan janice arthur ann lawrence ' +
  'kathryn jordan abigail jesse sophia bryan frances billy jean bruce alice gabriel judy joe ' +
  'isabella logan julia alan grace juan denise albert amber willie doris elijah marilyn wayne ' +
  'danielle randy beverly vincent charlotte mason natalie roy theresa ralph diana bobby ' +
  'brittany russell kayla bradley lori philip eugene priya wei ahmed mohammed fatima yuki ' +
  'hiroshi ananya rahul sanjay li chen olga dmitri ivan svetlana lars ingrid björn søren ' +
  'jürgen françois renée andré zoë josé maría joão luís marta giulia luca marco sofia hans ' +
  'klaus greta francisco theodore leonard frederick nathaniel alexandra'
).split(' ');
/** Usual last names, the commonest first. */
export const usualLastNames: readonly string[] = (
  'smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez ' +
  'gonzalez wilson anderson thomas taylor moore jackson martin lee perez thompson white harris ' +
  'sanchez clark ramirez lewis robinson walker young allen king wright scott torres nguyen ' +
  'hill flores green adams nelson baker hall rivera campbell mitchell carter roberts gomez ' +
  'phillips evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy ' +
  'cook rogers gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox ' +
  'ward richardson watson brooks chavez wood james bennett gray mendoza ruiz hughes price ' +
  'alvarez castillo sanders patel myers long ross foster jimenez powell jenkins perry russell ' +
  'sullivan bell coleman butler henderson barnes gonzales fisher vasquez simmons romero jordan ' +
  'patterson alexander hamilton graham reynolds griffin wallace moreno west cole hayes bryant ' +
  'herrera gibson ellis tran medina aguilar stevens murray ford castro marshall owens harrison ' +
  'fernandez mcdonald woods washington kennedy wells vargas henry chen freeman webb tucker ' +
  'guzman burns crawford olson simpson porter hunter gordon mendez silva shaw snyder mason ' +
  'dixon munoz hunt hicks holmes palmer wagner black robertson boyd rose stone salazar fox ' +
  'warren mills meyer rice schmidt müller schröder öztürk nowak kowalski ivanov petrov ' +
  'andersen nielsen larsson jørgensen dubois lefèvre moreau rossi ferrari bianchi singh kumar ' +
  'sharma gupta khan ali hussain wang li zhang liu yang huang zhao wu zhou sato suzuki ' +
  "takahashi tanaka watanabe ito o'brien o'connor mcarthur d'angelo van-dijk de-vries"
).split(' ');
/** First sounds of a syllable. */
export const onsets: readonly string[] =
  'b br c ch cl d dr f fr g gr h j k kr l m n p pr qu r s sc sh sl st t th tr v w z'.split(' ');
/** Vowels of a syllable. */
export const vowels: readonly string[] = 'a e i o u ai ea ie ou'.split(' ');
/** Last sounds of a syllable. */
export const codas: readonly string[] = 'n r l s t ck nd rt ll m x ng th'.split(' ');
/** Endings of generated first names. */
export const firstNameEnds: readonly string[] = 'a o e in ia y an'.split(' ');
/** Endings of generated last names. */
export const lastNameEnds: readonly string[] = [
  '',
  '',
  'son',
  'er',
  'man',
  'ez',
  'ski',
  'i',
  'o',
  'ham',
  'ton',
  'ley',
];
const nicknameLines = (
  'robert bob rob bobby|william bill will billy|richard rick dick rich|james jim jimmy|' +
  'john jack johnny|michael mike mick|elizabeth liz beth betty|katherine kate kathy katie|' +
  'margaret maggie peggy meg|thomas tom tommy|joseph joe joey|charles charlie chuck|' +
  'christopher chris|daniel dan danny|matthew matt|anthony tony|andrew andy drew|joshua josh|' +
  'kenneth ken kenny|steven steve|edward ed eddie ted|patricia pat patty trish|' +
  'jennifer jen jenny|susan sue susie|jessica jess|deborah deb debbie|barbara barb|' +
  'rebecca becky becca|samuel sam|benjamin ben|nicholas nick|jonathan jon|' +
  'alexander alex xander|alexandra alex sandra|timothy tim|gregory greg|stephanie steph|' +
  'victoria vicky tori|theodore ted theo|jeffrey jeff|ronald ron|donald don|david dave|' +
  'philip phil|peter pete|lawrence larry|raymond ray|gerald jerry|francisco paco frank|' +
  'frederick fred|kimberly kim|cynthia cindy|pamela pam|christina tina chris|abigail abby|' +
  'zachary zach|nathaniel nate|vincent vince|leonard len lenny|walter walt'
).split('|');

/** Nicknames of first names, both in lower case. */
export const nicknamesOf: ReadonlyMap<string, readonly string[]> = new Map(
  nicknameLines.map((line) => {
    const [name = '', ...nicknames] = line.split(' ');
    return [name, nicknames];
  }),
);
