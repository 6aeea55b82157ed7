/** The order in which the data services are asked for one field: by buttons and by dragging. */
import { ActionIcon, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import {
  IconAddressBook,
  IconAdjustmentsHorizontal,
  IconArrowDown,
  IconArrowUp,
  IconGripVertical,
} from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Monogram } from '../../components/monogram.tsx';
import classes from './providers.module.css';

export interface OrderedProvider {
  readonly id: string;
  readonly title: string;
  readonly isOn: boolean;
  /** Its rule in words; '' if it accepts any answer. */
  readonly rule: string;
}

/** Moves one id to a position; positions outside the list mean its ends. */
function moveTo(ids: readonly string[], id: string, position: number): string[] {
  const rest = ids.filter((one) => one !== id);
  return [...rest.slice(0, Math.max(0, position)), id, ...rest.slice(Math.max(0, position))];
}

interface StepProps {
  readonly provider: OrderedProvider;
  readonly field: string;
  readonly position: number;
  readonly isLast: boolean;
  readonly isOver: boolean;
  readonly onMove: (position: number) => void;
  readonly onRule: () => void;
  readonly onDrag: (event: 'start' | 'over' | 'drop' | 'end') => void;
}

/** A button that keeps the focus while it has no effect, so that the keyboard stays in place. */
function MoveButton(props: {
  way: 'up' | 'down';
  label: string;
  hasEffect: boolean;
  onClick: () => void;
}) {
  const Icon = props.way === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      variant="default"
      size="sm"
      aria-label={props.label}
      aria-disabled={!props.hasEffect}
      data-disabled={!props.hasEffect}
      onClick={() => props.hasEffect && props.onClick()}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}

function Step(props: StepProps) {
  const { provider, field, position, isLast, isOver, onMove, onRule, onDrag } = props;
  const { title, isOn, rule } = provider;
  return (
    <li
      className={classes.step}
      draggable
      data-over={isOver || undefined}
      data-off={!isOn || undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        // Without data, Firefox starts no drag.
        event.dataTransfer.setData('text/plain', title);
        onDrag('start');
      }}
      onDragOver={(event) => {
        event.preventDefault();
        onDrag('over');
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrag('drop');
      }}
      onDragEnd={() => onDrag('end')}
    >
      <IconGripVertical size={14} aria-hidden color="var(--mantine-color-dimmed)" />
      <span className={classes.position}>{position + 2}</span>
      <Monogram title={title} />
      <div className={classes.grow}>
        <div className={classes.title}>{title}</div>
        {!isOn && (
          <Text size="xs" c="dimmed">
            switched off, not asked
          </Text>
        )}
        {rule !== '' && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {rule}
          </Text>
        )}
      </div>
      <ActionIcon
        variant="default"
        size="sm"
        aria-label={`Rule of ${title} for ${field}`}
        title="Rule"
        onClick={onRule}
      >
        <IconAdjustmentsHorizontal size={14} aria-hidden />
      </ActionIcon>
      <MoveButton
        way="up"
        label={`Move ${title} up for ${field}`}
        hasEffect={position > 0}
        onClick={() => onMove(position - 1)}
      />
      <MoveButton
        way="down"
        label={`Move ${title} down for ${field}`}
        hasEffect={!isLast}
        onClick={() => onMove(position + 1)}
      />
    </li>
  );
}

const DirectoryStep = () => (
  <li className={`${classes.step} ${classes.fixed}`}>
    <IconAddressBook size={14} aria-hidden color="var(--mantine-color-dimmed)" />
    <span className={classes.position}>1</span>
    <div className={classes.grow}>
      <span className={classes.title}>Your directory</span>
    </div>
    <Text size="xs" c="dimmed">
      always first, free
    </Text>
  </li>
);

/**
 * The ordered services of a field. `onOrder` receives the ids in their new order, `onRule` the one
 * whose rule is to be changed.
 */
export function FieldOrder({
  field,
  providers,
  onOrder,
  onRule,
}: {
  field: string;
  providers: readonly OrderedProvider[];
  onOrder: (ids: string[]) => void;
  onRule: (id: string) => void;
}) {
  const titleId = useId();
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [moved, setMoved] = useState('');
  const ids = providers.map(({ id }) => id);
  const move = ({ id, title }: OrderedProvider, position: number) => {
    onOrder(moveTo(ids, id, position));
    setMoved(`${title} is now number ${position + 2} for ${field}.`);
  };
  const drag = (event: 'start' | 'over' | 'drop' | 'end', id: string, position: number) => {
    if (event === 'start') setDragged(id);
    if (event === 'over') setOver(id);
    const provider = providers.find((one) => one.id === dragged);
    if (event === 'drop' && provider && dragged !== id) move(provider, position);
    if (event !== 'drop' && event !== 'end') return;
    setDragged(null);
    setOver(null);
  };
  return (
    <section aria-labelledby={titleId}>
      <Group justify="space-between">
        <Title order={3} id={titleId}>
          {field}
        </Title>
      </Group>
      <ol className={classes.steps}>
        <DirectoryStep />
        {providers.map((provider, position) => (
          <Step
            key={provider.id}
            provider={provider}
            field={field}
            position={position}
            isLast={position === providers.length - 1}
            isOver={dragged !== null && over === provider.id && dragged !== provider.id}
            onMove={(to) => move(provider, to)}
            onRule={() => onRule(provider.id)}
            onDrag={(event) => drag(event, provider.id, position)}
          />
        ))}
      </ol>
      {providers.length === 0 && (
        <Text size="xs" c="dimmed">
          No data service that you added answers this field.
        </Text>
      )}
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
    </section>
  );
}
