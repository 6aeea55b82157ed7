// A button that adds everything known about one person or company to the suppression list.
import { Button, List, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { type GivenValue, suppression } from '../../engine/contract/suppression/suppression.ts';
import { useCall } from '../api/live.ts';
import { DialogForm, OpenModal } from './dialogs.tsx';
import { showSuccess } from './toast.ts';

/** What a dialog suppresses. `values` name the person or the company. */
interface Suppressed {
  readonly values: readonly GivenValue[];
  readonly what?: 'person' | 'company';
}

export function SuppressDialog({
  values,
  what = 'person',
  onClose: close,
}: Suppressed & { onClose: () => void }) {
  const [reason, setReason] = useState('');
  // Everything that is shown of people may be suppressed now.
  const add = useCall(suppression.add, ['suppression', 'rows', 'job', 'found-people']);
  const save = () =>
    add.mutate(
      { values: [...values], reason },
      {
        onSuccess() {
          close();
          showSuccess(`The ${what} is suppressed, here and in every other list.`);
        },
      },
    );
  return (
    <OpenModal onClose={close} title={`Suppress this ${what}`}>
      <DialogForm
        change={add}
        act="Suppress"
        color="red.9"
        gap="md"
        failed="Nothing was suppressed"
        onSubmit={save}
        onClose={close}
      >
        <Text size="sm">
          The {what}
          {what === 'company' && ' and its people are'}
          {what === 'person' && ' is'} never matched, shown, exported, monitored or sent again, in
          all accounts. These values join the list:
        </Text>
        <List size="sm" style={{ overflowWrap: 'anywhere' }}>
          {values.map(({ value }) => (
            <List.Item key={value}>{value}</List.Item>
          ))}
        </List>
        <TextInput
          label="Reason"
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </DialogForm>
    </OpenModal>
  );
}

export function SuppressButton({ values, what = 'person' }: Suppressed) {
  const [opened, { open, close }] = useDisclosure(false);
  if (values.length === 0) return null;
  return (
    <>
      <Button size="compact-sm" onClick={open}>
        Suppress…
      </Button>
      {opened && <SuppressDialog values={values} what={what} onClose={close} />}
    </>
  );
}
