// Templates: applied by itself to a list with the same header, saved, renamed and deleted.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useEffect, useState } from 'react';
import { type LayerCode, layerCodes, nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { templateNameCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import {
  type Template,
  templates as templateCalls,
} from '../../../engine/contract/reading/template.ts';
import type { Upload } from '../../../engine/contract/uploads.ts';
import { useAnswer, useCall } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf } from '../../components/numbers.ts';
import { Caption } from '../../components/text.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { showSuccess } from '../../components/toast.ts';
import classes from './enrich.module.css';
import { useFlow } from './flow.tsx';

const changed = ['templates'];

const fits = (template: Template, { headers }: Upload): boolean =>
  template.headers.length === headers.length &&
  template.headers.every((header, at) => header === headers[at]);

const layersOf = ({ selected_layers: codes }: Template): LayerCode[] =>
  layerCodes.filter((code) => codes.includes(code));

function useApply(upload: Upload) {
  const { flow, actions } = useFlow();
  return (template: Template) => {
    const { mapping, fullName, selection } = flow;
    const layers = layersOf(template);
    actions.change({
      mapping: template.mapping,
      fullName: template.full_name_column,
      layerNote: null,
      ...(layers.length > 0 && { selection: layers }),
      template: {
        uploadId: upload.upload_id,
        name: template.name,
        before: { mapping, fullName, selection },
      },
    });
  };
}

/** Applies the latest template with the list's header, once for each upload. */
function useAutomatic(upload: Upload, templates: readonly Template[] | undefined): void {
  const { flow, actions } = useFlow();
  const apply = useApply(upload);
  const isNew = flow.template?.uploadId !== upload.upload_id;
  useEffect(() => {
    if (!templates || !isNew) return;
    // Lists without column names all have the same header.
    const found = upload.reading.header ? templates.find((one) => fits(one, upload)) : undefined;
    if (found) apply(found);
    else actions.change({ template: { uploadId: upload.upload_id, name: null, before: null } });
  });
}

function Applied() {
  const { flow, actions } = useFlow();
  const { template } = flow;
  if (!template?.name || !template.before) return null;
  const undo = () =>
    actions.change({ ...template.before, template: { ...template, name: null, before: null } });
  return (
    <Group gap="sm" role="status">
      <Text size="sm">
        The template {template.name} is applied: its columns and layers are chosen.
      </Text>
      <Button size="compact-sm" onClick={undo}>
        Undo
      </Button>
    </Group>
  );
}

interface NameFormProps {
  label: string;
  act: string;
  first: string;
  isBusy: boolean;
  onName: (name: string) => void;
}

function NameForm({ label, act, first, isBusy, onName }: NameFormProps) {
  const [name, setName] = useState(first);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onName(name.trim());
  };
  return (
    <form onSubmit={send}>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          size="sm"
          flex={1}
          label={label}
          value={name}
          maxLength={templateNameCharactersMax}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          variant="filled"
          type="submit"
          size="sm"
          disabled={name.trim() === ''}
          loading={isBusy}
        >
          {act}
        </Button>
      </Group>
    </form>
  );
}

interface TemplateLineProps {
  template: Template;
  upload: Upload;
  onApply: () => void;
}

function TemplateLine({ template, upload, onApply }: TemplateLineProps) {
  const rename = useCall(templateCalls.rename, changed, { failed: 'The template was not renamed' });
  const remove = useCall(templateCalls.remove, changed, { failed: 'The template was not deleted' });
  const [isRenaming, { open, close }] = useDisclosure(false);
  const isFitting = fits(template, upload);
  const columns = countOf(template.headers.length, 'column');
  const layers = layersOf(template).map(nameLayer).join(', ') || 'no layers';
  return (
    <li className={classes.template}>
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {template.name}
          </Text>
          <Caption>
            {columns}, {layers}
            {isFitting ? '' : '. For columns other than those in this file.'}
          </Caption>
        </div>
        <Group gap="xs">
          <Button size="xs" disabled={!isFitting} onClick={onApply}>
            Apply
          </Button>
          <Button size="xs" onClick={isRenaming ? close : open}>
            Rename
          </Button>
          <ConfirmButton
            size="xs"
            title={`Delete ${template.name}?`}
            sentence="Lists with its header no longer get its columns and layers."
            act="Delete the template"
            loading={remove.isPending}
            onConfirm={() => remove.mutate({ id: template.id })}
          >
            Delete
          </ConfirmButton>
        </Group>
      </Group>
      {isRenaming && (
        <NameForm
          label={`New name for ${template.name}`}
          act="Save name"
          first={template.name}
          isBusy={rename.isPending}
          onName={(name) =>
            rename.mutate(
              { id: template.id, name },
              {
                onSuccess: close,
              },
            )
          }
        />
      )}
    </li>
  );
}

interface TemplatesDialogProps {
  upload: Upload;
  templates: readonly Template[];
  onClose: () => void;
}

function TemplatesDialog({ upload, templates, onClose }: TemplatesDialogProps) {
  const { flow } = useFlow();
  const apply = useApply(upload);
  const save = useCall(templateCalls.save, changed);
  const saveAs = (name: string) =>
    save.mutate(
      {
        name,
        headers: [...upload.headers],
        mapping: flow.mapping,
        full_name_column: flow.fullName,
        selected_layers: [...flow.selection],
      },
      {
        onSuccess: () => {
          showSuccess(`The template ${isolate(name)} is saved.`);
          onClose();
        },
      },
    );
  return (
    <Modal opened onClose={onClose} size="lg" title="Templates">
      <Stack gap="md">
        <Text size="sm">
          A template keeps the columns and layers that you chose. It is applied to every list with
          the same header.
        </Text>
        <NameForm
          label="Save these columns and layers as"
          act="Save template"
          first={flow.template?.name ?? ''}
          isBusy={save.isPending}
          onName={saveAs}
        />
        <ErrorPanel title="The template was not saved" error={save.error} />
        {templates.length > 0 && (
          <ul className={classes.templates} aria-label="Saved templates">
            {templates.map((template) => (
              <TemplateLine
                key={template.id}
                template={template}
                upload={upload}
                onApply={() => {
                  apply(template);
                  onClose();
                }}
              />
            ))}
          </ul>
        )}
      </Stack>
    </Modal>
  );
}

const useTemplates = () => useAnswer(changed, templateCalls.list);

export function AppliedTemplate({ upload }: { upload: Upload }) {
  const { data: templates } = useTemplates();
  useAutomatic(upload, templates);
  return <Applied />;
}

export function TemplatesButton({ upload }: { upload: Upload }) {
  const { data: templates } = useTemplates();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Group justify="flex-end">
      <Button size="xs" disabled={!templates} onClick={open}>
        {templates && templates.length > 0 ? 'Templates' : 'Save as template'}
      </Button>
      {isOpen && <TemplatesDialog upload={upload} templates={templates ?? []} onClose={close} />}
    </Group>
  );
}
