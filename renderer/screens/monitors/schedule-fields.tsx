// The schedule of a monitor: frequency, day, local time and time zone.
import { Group, Input, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useId, useMemo } from 'react';
import type { MonitorRhythm, MonitorSchedule } from '../../../engine/contract/monitors/monitors.ts';
import { Note } from '../../components/text.tsx';
import { describeSchedule, weekdays } from './monitor-words.ts';

const rhythms: { value: MonitorRhythm; label: string }[] = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
];
const zonesShown = 100;
const lastDay = 31;

export const isWhole = ({ time, month_day: day }: MonitorSchedule): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d$/.test(time) && day >= 1 && day <= lastDay;

interface DayFieldProps {
  schedule: MonitorSchedule;
  onChange: (part: Partial<MonitorSchedule>) => void;
}

/** The day of a weekly or monthly schedule; nothing for a daily one. */
function DayField({ schedule, onChange }: DayFieldProps) {
  if (schedule.rhythm === 'daily') return null;
  if (schedule.rhythm === 'weekly')
    return (
      <Select
        label="Day"
        w={140}
        allowDeselect={false}
        data={weekdays.map((label, at) => ({ value: String(at + 1), label }))}
        value={String(schedule.weekday)}
        onChange={(value) => onChange({ weekday: Number(value ?? 1) })}
      />
    );
  return (
    <NumberInput
      label="Day of the month"
      w={140}
      min={1}
      max={lastDay}
      clampBehavior="strict"
      allowDecimal={false}
      value={schedule.month_day}
      onChange={(value) => onChange({ month_day: Number(value) || 0 })}
    />
  );
}

interface ScheduleFieldsProps {
  schedule: MonitorSchedule;
  onChange: (schedule: MonitorSchedule) => void;
}

export function ScheduleFields({ schedule, onChange }: ScheduleFieldsProps) {
  const rhythmId = useId();
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf('timeZone');
    return [...new Set([schedule.time_zone, 'UTC', ...known])];
  }, [schedule.time_zone]);
  const change = (part: Partial<MonitorSchedule>) => onChange({ ...schedule, ...part });
  return (
    <div>
      <Group align="flex-start" gap="md">
        <Input.Wrapper label="How often" labelElement="div" labelProps={{ id: rhythmId }}>
          <SegmentedControl
            display="flex"
            aria-labelledby={rhythmId}
            data={rhythms}
            value={schedule.rhythm}
            onChange={(rhythm) => change({ rhythm: rhythm as MonitorRhythm })}
            transitionDuration={0}
          />
        </Input.Wrapper>
        <DayField schedule={schedule} onChange={change} />
        <TextInput
          label="At"
          type="time"
          w={120}
          value={schedule.time}
          onChange={(event) => change({ time: event.currentTarget.value })}
        />
        <Select
          label="Time zone"
          w={240}
          searchable
          allowDeselect={false}
          limit={zonesShown}
          data={zones}
          value={schedule.time_zone}
          onChange={(value) => value && change({ time_zone: value })}
          nothingFoundMessage="No such zone"
        />
      </Group>
      <Note mt="sm" role="status">
        {isWhole(schedule)
          ? `${describeSchedule(schedule)}. One missed run is caught up when the app runs again.`
          : 'Choose a time, and a day from 1 to 31.'}
      </Note>
    </div>
  );
}
