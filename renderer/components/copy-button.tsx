// Copies text and confirms it.
import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** The button; `label` names what is copied. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  return (
    <Copy value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon variant="default" aria-label={copied ? 'Copied' : label} onClick={copy}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  );
}
