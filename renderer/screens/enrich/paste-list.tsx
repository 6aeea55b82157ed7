// Opens a list from the clipboard: Ctrl or Cmd V on the screen, or a button with a text field.
import { Button, Group, Modal, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClipboard } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useOpenFiles } from './open-files.tsx';

const pastedName = 'Pasted list';

const pasteHint =
  'Copied from Excel or Google Sheets, or CSV text. Column names help, but are not required.';

const makeFile = (text: string): File => new File([text], pastedName, { type: 'text/plain' });

const isForField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;

/** Opens what is pasted while no field has the focus: text with lines, or files. */
export function usePaste(): void {
  const open = useOpenFiles();
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (isForField(event.target) || !event.clipboardData) return;
      // A spreadsheet puts text next to a picture of the cells.
      const text = event.clipboardData.getData('text/plain');
      const files = [...event.clipboardData.files];
      if (text.trim() === '' && files.length === 0) return;
      event.preventDefault();
      open(text.trim() === '' ? files : [makeFile(text)]);
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, [open]);
}

export function PasteButton() {
  const openFiles = useOpenFiles();
  const [opened, { open, close }] = useDisclosure(false);
  const [text, setText] = useState('');
  const start = () => {
    close();
    setText('');
    openFiles([makeFile(text)]);
  };
  return (
    <>
      <Button leftSection={<IconClipboard size={16} aria-hidden />} onClick={open}>
        Paste a list
      </Button>
      <Modal opened={opened} onClose={close} size="lg" title="Paste a list">
        <Textarea
          label="Rows"
          description={pasteHint}
          data-autofocus
          autosize
          minRows={8}
          maxRows={16}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button onClick={close}>Cancel</Button>
          <Button variant="filled" disabled={text.trim() === ''} onClick={start}>
            Open the list
          </Button>
        </Group>
      </Modal>
    </>
  );
}
