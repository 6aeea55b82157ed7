// `desk config …`: the organisation's rules, and files of rules for administrators.
import { EngineError } from '../../../contract/errors.ts';
import { organisation } from '../../../contract/team/team-config.ts';
import {
  propertyListName,
  writePropertyList,
  writeRegistryFile,
} from '../../../policy/export-rules.ts';
import { readRuleFile, refuseDraft } from '../../../policy/rule-file.ts';
import { writeTeamSchema } from '../../../policy/team-schema.ts';
import { type Call, type Command, requireOption } from '../../kit/command.ts';
import { formatNumber, formatTable } from '../../kit/format-text.ts';
import { readInPath } from '../../kit/read-paths.ts';
import { badUsage } from '../../kit/refusal.ts';

const sourceWords = {
  managed: 'device management',
  policy_file: 'policy file',
  packed: 'packed into the app',
  app_folder: 'next to the app',
} as const;

/** Reads a file of rules. Throws `policy_invalid`, and bad usage if there is no file. */
function readFile(call: Call) {
  const path = readInPath(call, call.positionals[0] ?? '');
  try {
    const config = readRuleFile(path);
    if (config === null) throw new Error(`${path} was there, and is gone`);
    return { path, config };
  } catch (error) {
    throw error instanceof EngineError ? refuseDraft(error) : error;
  }
}

const formats = {
  reg: writeRegistryFile,
  plist: writePropertyList,
} as const;

export const configCommands: readonly Command[] = [
  {
    name: 'config show',
    summary: 'Show the rules of the organisation, and where each comes from',
    async run(call) {
      const engine = await call.openEngine();
      const found = await engine.ask(organisation.read);
      const { name, rules, sources } = found;
      const rows = rules.map(({ path, value, is_locked: isLocked, source }) => [
        path,
        value,
        isLocked ? 'fixed' : 'default',
        sourceWords[source.kind],
      ]);
      const from = sources.map(({ kind, place }) => `${sourceWords[kind]}: ${place}`);
      const verdict =
        sources.length === 0
          ? 'No organisation sets rules for this engine.'
          : `${formatNumber(rules.length, 'rule')} of ${name ?? 'your organisation'}.`;
      return { json: found, lines: [...formatTable(rows), ...from, verdict] };
    },
  },
  {
    name: 'config check',
    summary: 'Check a team configuration or policy file',
    args: '<FILE>',
    async run(call) {
      const { path, config } = readFile(call);
      return { json: { path, config }, lines: [`${path} can be used.`] };
    },
  },
  {
    name: 'config export',
    summary: 'Convert a file of rules to a registry file or a property list',
    args: '<FILE>',
    options: {
      to: { value: 'FORMAT', summary: 'reg (Windows) or plist (macOS)', isRequired: true },
    },
    notes: [
      'Prints the file. Import a reg file with "reg import", as an administrator.',
      `A device management system installs a plist as ${propertyListName()}.`,
    ],
    async run(call) {
      const format = requireOption(call, 'to', 'reg or plist');
      if (format !== 'reg' && format !== 'plist')
        throw badUsage(`--to ${format} is neither reg nor plist.`);
      const { config } = readFile(call);
      const text = formats[format](config);
      return { json: { format, text }, lines: [text.trimEnd()] };
    },
  },
  {
    name: 'config schema',
    summary: 'Print the JSON schema of the team configuration',
    async run() {
      const text = writeTeamSchema();
      return { json: JSON.parse(text), lines: [text.trimEnd()] };
    },
  },
];
