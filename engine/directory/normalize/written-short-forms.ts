/**
 * Given names as clerks, registers and signatures shorten them: Wm. is William. Nobody goes by
 * these forms. They are conventions of English, German and Spanish records, as guides to censuses
 * and parish registers list them. A form that lacks one letter of its name is left out, because it
 * is compared as mistyped, and so are most forms that are the beginning of their name.
 */

/** Each line: a name, then its forms. */
const table = `
abraham abrm abm
albert albt
alexander alexr alexdr alxr
alfred alfd
ambrose ambr
andrew andw
anthony anty anthy
archibald archd archbd
augustus augts augs
benjamin benj benjn benja
bernard bernd
bartholomew bartw
catherine cath cathne cathn
charles chas
christopher christr xpher xtopher xopher
cornelius corns
daniel danl
dominic domk
donald dond
ebenezer ebenr
edmund edmd
edward edw edwd
eleanor elnr
elizabeth eliz elizth elzth
ezekiel ezekl
ferdinand ferdd
fernando fdo
francis frans fras
francisco fco frco
frederick fredk fredc fredck
friedrich friedr
gabriel gabl
george geo
gilbert gilbt
gregory gregy
guillermo gmo
heinrich heinr
herbert herbt
humphrey humphy
isaac isc
james jas jms
jeremiah jerh
johannes joh
john jno jn
joseph jph jsph
lawrence lawce lawrce
leonard leond
ludwig ludw
manuel mnl
margaret margt margrt mgt
matthew mattw
michael michl mchl
nathaniel nathl
nicholas nichs nics nichls
patrick patk patrk
reginald regd
ricardo rcdo
richard richd rchd
robert robt rbt
samuel saml
solomon soln
stephen stepn
theodore theodr
thomas thos tho
timothy timy
vincent vinct
walter wltr
wilhelm wilh
william wm wllm
`;

/** Name → its written short forms, all as first-name keys. */
export const writtenShortForms: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...forms] = line.split(' ');
      return [name, forms] as const;
    }),
);
