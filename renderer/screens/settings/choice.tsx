// A choice of a few values, with its label above.
import { SegmentedControl, Text } from '@mantine/core';
import { useId } from 'react';

/** `data` has the label of each value. */
export function Choice<Value extends string>({
  label,
  value,
  onChange,
  data,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  data: Readonly<Record<Value, string>>;
}) {
  const id = useId();
  return (
    <div>
      <Text id={id} size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => onChange(chosen as Value)}
        transitionDuration={0}
        data={Object.entries<string>(data).map(([one, text]) => ({ value: one, label: text }))}
      />
    </div>
  );
}
