// Reads --preset of `desk enrich` and the options that belong to it.
import { type CrmExport, crmNames } from '../../contract/exports/crm-export.ts';
import { type Call, readOption } from '../kit/command.ts';
import { badUsage } from '../kit/refusal.ts';

export const presetOptions = ['record-id', 'id-list', 'new-people'] as const;

const listColumns = 'list-columns';

/** The preset; null without one. Throws bad usage for an unknown one. */
export function readPreset(call: Call): CrmExport | null {
  const text = readOption(call, 'preset');
  if (text === undefined) {
    const alone = [...presetOptions, listColumns].find((name) => name in call.values);
    if (alone !== undefined) throw badUsage(`--${alone} belongs to --preset: give both.`);
    return null;
  }
  const [recordId, idList] = [readOption(call, 'record-id'), readOption(call, 'id-list')];
  const crm = crmNames.find((name) => name === text.toLowerCase().replaceAll('-', '_'));
  if (crm === undefined) {
    const names = crmNames.map((name) => name.replaceAll('_', '-')).join(', ');
    throw badUsage(`--preset ${text}: choose one of ${names}.`);
  }
  return {
    crm,
    ...(recordId === undefined ? {} : { record_id: recordId }),
    ...(idList === undefined ? {} : { id_list: idList }),
    ...(readOption(call, 'new-people') === undefined ? {} : { records: 'known' }),
    ...(listColumns in call.values ? { list_columns: true } : {}),
  };
}
