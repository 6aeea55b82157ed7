/** Step 3: the layers with their fields and prices. The order rule is applied and explained. */
import { Button, Checkbox, Skeleton, Text } from '@mantine/core';
import { creditUnits } from '../../../engine/contract/credits.ts';
import type { LayersData } from '../../../engine/contract/jobs/job.ts';
import {
  type LayerCode,
  layerCodes,
  resolveSelection,
} from '../../../engine/contract/jobs/layers.ts';
import { useLayers } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countCredits, countUnits, showCredits, unitsOf } from '../../components/numbers.ts';
import { toggleLayer } from './choose-layers.ts';
import classes from './enrich.module.css';
import { useFlow } from './flow.tsx';
import { Step } from './step.tsx';

/** The error of a selection in a sentence; null if it can be priced. */
export function findLayerProblem(
  selection: readonly LayerCode[],
  data: LayersData | undefined,
): string | null {
  if (selection.length === 0) return 'Choose at least one layer.';
  const active = data?.layers.filter((layer) => layer.active).map(({ code }) => code);
  if (!active) return null;
  const answer = resolveSelection(selection, active);
  return 'problem' in answer ? answer.problem : null;
}

function LayerCard({ layer }: { layer: LayersData['layers'][number] }) {
  const { flow, actions } = useFlow();
  const { code, label, description, fields, price, active } = layer;
  const checked = flow.selection.includes(code);
  return (
    <Checkbox.Card
      className={classes.layer}
      data-off={!active || undefined}
      checked={checked}
      disabled={!active}
      onClick={() => active && actions.change(toggleLayer(flow.selection, code))}
      aria-label={`${code} ${label}, ${countCredits(price)} per enriched row`}
      aria-describedby={`layer-${code}`}
    >
      <span className={classes.layerHead}>
        <Checkbox.Indicator size="xs" mt={2} />
        <span className={classes.layerCode}>{code}</span>
        <span className={classes.layerPrice}>{showCredits(price)}</span>
      </span>
      <span className={classes.layerName}>{label}</span>
      <span id={`layer-${code}`}>
        <Text size="sm" span display="block">
          {active ? description : 'Switched off for this account, in Settings.'}
        </Text>
        <Text size="xs" c="dimmed" span display="block" mt={4}>
          {fields.join(', ')}
        </Text>
      </span>
    </Checkbox.Card>
  );
}

export function LayersStep() {
  const { flow, actions } = useFlow();
  const { data, error, refetch } = useLayers();
  const problem = findLayerProblem(flow.selection, data);
  const chosen = data?.layers.filter(({ code }) => flow.selection.includes(code)) ?? [];
  const perRow = creditUnits(chosen.reduce((sum, { price }) => sum + unitsOf(price), 0));
  const chooseAll = () =>
    data && actions.change({ selection: data.full.selected_layers, layerNote: null });
  return (
    <Step
      number={3}
      title="Layers"
      facts={
        <>
          <strong>{flow.selection.join(', ') || 'None'}</strong> · {countUnits(perRow)} per enriched
          row; skipped and failed rows cost nothing
        </>
      }
      action={
        <Button size="xs" variant="default" onClick={chooseAll} disabled={!data}>
          All layers
        </Button>
      }
    >
      {error && (
        <ErrorPanel
          title="The layers could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      <div className={classes.layers}>
        {data?.layers.map((layer) => <LayerCard key={layer.code} layer={layer} />) ??
          layerCodes.map((code) => <Skeleton key={code} height={150} />)}
      </div>
      <div role="status">
        {problem ? (
          <Text size="sm" c="var(--desk-failed)">
            {problem}
          </Text>
        ) : (
          flow.layerNote && <Text size="sm">{flow.layerNote}</Text>
        )}
      </div>
    </Step>
  );
}
