/** Reads --preset and --record-id of `desk enrich`. */
import { type CrmExport, crmNames } from '../../contract/exports/crm-presets.ts';
import { type Call, readOption } from '../kit/command.ts';
import { badUsage } from '../kit/refusal.ts';

/** The preset; null without one. Throws bad usage for an unknown one. */
export function readPreset(call: Call): CrmExport | null {
  const text = readOption(call, 'preset');
  const recordId = readOption(call, 'record-id');
  if (text === undefined && recordId !== undefined)
    throw badUsage('--record-id names a column for --preset: give both.');
  if (text === undefined) return null;
  const crm = crmNames.find((name) => name === text.toLowerCase().replaceAll('-', '_'));
  if (crm === undefined) {
    const names = crmNames.map((name) => name.replaceAll('_', '-')).join(', ');
    throw badUsage(`--preset ${text}: choose one of ${names}.`);
  }
  return recordId === undefined ? { crm } : { crm, record_id: recordId };
}
