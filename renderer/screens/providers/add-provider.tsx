// Adds a data service: picks one or reads a definition file, then takes its key and tests it.
import {
  Alert,
  Button,
  Divider,
  Group,
  List,
  Modal,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { definitionBytesMax } from '../../../engine/contract/limits/provider-definitions.ts';
import { providerCalls, type UserProvider } from '../../../engine/contract/providers.ts';
import { ApiError, ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { useProviderLock } from '../../api/privacy/organisation.ts';
import { DropArea } from '../../components/drop-area.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Monogram } from '../../components/monogram.tsx';
import { showBytes } from '../../components/numbers.ts';
import { Caption, Note } from '../../components/text.tsx';
import { KeyForm, KeyTest } from './provider-key.tsx';
import { describePrices, isAdded, providerFieldLabels } from './provider-words.ts';
import classes from './providers.module.css';

/** Sends the text of a file. Throws an ApiError for a file that is too large to be one. */
async function importFile(file: File) {
  if (file.size > definitionBytesMax)
    throw new ApiError(
      'validation_error',
      `${file.name} has ${showBytes(file.size)}. A definition has at most ` +
        `${showBytes(definitionBytesMax)}.`,
      0,
    );
  return ask(providerCalls.importDefinition, { text: await file.text() });
}

function DefinitionFile({ onStored }: { onStored: (id: string) => void }) {
  const read = useChange(importFile, ['providers']);
  const faults = read.data?.faults ?? [];
  return (
    <Stack gap="md">
      <DropArea
        label="Use a definition of your own"
        hint="Drop a JSON file or choose one. The documentation describes its format."
        disabled={read.isPending}
        onFile={(file) => read.mutate(file, { onSuccess: ({ id }) => id && onStored(id) })}
      />
      <ErrorPanel title="The file was not added" error={read.error} />
      {faults.length > 0 && (
        <Alert
          color="red"
          role="alert"
          title={`${read.variables?.name} cannot be used`}
          icon={<IconAlertTriangle size={18} aria-hidden />}
        >
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {faults.map(({ line, what }) => (
              <List.Item key={`${line} ${what}`}>
                Line {line}: {what}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}

const describeFields = ({ fields }: UserProvider): string =>
  fields.map(({ field }) => providerFieldLabels[field]).join(', ');

function Choice({ provider, onPick }: { provider: UserProvider; onPick: (id: string) => void }) {
  const lock = useProviderLock(provider);
  return (
    <li>
      <UnstyledButton
        className={classes.choice}
        disabled={lock !== null}
        onClick={() => onPick(provider.id)}
      >
        <Monogram title={provider.title} />
        <span>
          <span className={classes.title}>{provider.title}</span>
          {[...describePrices(provider), ...(lock ? [lock] : [])].map((line) => (
            <Caption key={line} span display="block">
              {line}
            </Caption>
          ))}
        </span>
      </UnstyledButton>
    </li>
  );
}

interface ChoicesProps {
  providers: readonly UserProvider[];
  onPick: (id: string) => void;
}

function Choices({ providers, onPick }: ChoicesProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const choices = providers
    .filter(
      (provider) =>
        !isAdded(provider) &&
        `${provider.title}, ${describeFields(provider)}`.toLowerCase().includes(wanted),
    )
    .toSorted((one, other) => one.title.localeCompare(other.title));
  return (
    <Stack gap="md">
      <TextInput
        label="Find a data service"
        placeholder="by name or by field, such as phone"
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {choices.length === 0 ? (
        <Note>No other data service {wanted ? 'matches' : 'comes with the app'}.</Note>
      ) : (
        <ul className={classes.choices} aria-label="Data services">
          {choices.map((provider) => (
            <Choice key={provider.id} provider={provider} onPick={onPick} />
          ))}
        </ul>
      )}
      <Caption>
        Prices are in credits of the service, by its price list. Your plan there may differ.
      </Caption>
      <Divider label="or" />
      <DefinitionFile onStored={onPick} />
    </Stack>
  );
}

interface KeyStepProps {
  provider: UserProvider;
  onBack: () => void;
  onDone: () => void;
}

function KeyStep({ provider, onBack, onDone }: KeyStepProps) {
  return (
    <Stack gap="lg">
      <Group gap="sm" wrap="nowrap">
        <Monogram title={provider.title} />
        <div>
          <div className={classes.title}>{provider.title}</div>
          <Caption style={{ overflowWrap: 'anywhere' }}>
            {provider.hosts.length > 0
              ? `Requests go only to ${provider.hosts.join(', ')}.`
              : 'Requests go only to the address that you enter.'}
            {provider.docs && ` Documentation: ${provider.docs}`}
          </Caption>
        </div>
      </Group>
      <KeyForm provider={provider} />
      {provider.has_key && (
        <>
          <KeyTest provider={provider} />
          <Text size="sm">{provider.title} is added and off. Switch it on in the list.</Text>
        </>
      )}
      <Group justify={provider.has_key ? 'flex-end' : 'flex-start'} gap="sm">
        {!provider.has_key && <Button onClick={onBack}>Back</Button>}
        {provider.has_key && (
          <Button variant="filled" onClick={onDone}>
            Done
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface AddProviderProps {
  opened: boolean;
  providers: readonly UserProvider[];
  onClose: () => void;
}

export function AddProvider({ opened, providers, onClose }: AddProviderProps) {
  const [pickedId, setPickedId] = useState<string | null>(null);
  const picked = providers.find(({ id }) => id === pickedId);
  const close = () => {
    setPickedId(null);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} size="lg" title="Add a data service">
      {picked ? (
        <KeyStep provider={picked} onBack={() => setPickedId(null)} onDone={close} />
      ) : (
        <Choices providers={providers} onPick={setPickedId} />
      )}
    </Modal>
  );
}
