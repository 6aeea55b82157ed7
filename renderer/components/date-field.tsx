// A field for a day. The system decides how it is typed; the line below says which day it is.
import { TextInput, type TextInputProps } from '@mantine/core';
import { showDay } from './numbers.ts';

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** Such as 2026-11-01; '' without a day. */
  readonly value: string;
  readonly onDay: (day: string) => void;
  /** What the line below says without a day. */
  readonly whenEmpty: string;
}

/** The order of the parts of a field whose description is below it. */
export const descriptionBelow: NonNullable<TextInputProps['inputWrapperOrder']> = [
  'label',
  'input',
  'description',
  'error',
];

/** The field. The line below it is always there, so that nothing moves. */
export const DateField = ({ value, onDay, whenEmpty, ...rest }: DateFieldProps) => (
  <TextInput
    {...rest}
    type="date"
    inputWrapperOrder={descriptionBelow}
    description={value === '' ? whenEmpty : showDay(value)}
    value={value}
    onChange={(event) => onDay(event.currentTarget.value)}
  />
);
