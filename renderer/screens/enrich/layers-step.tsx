// The layers with their fields, prices, and what each is expected to find, chosen or not. The order
// rule is applied and explained.
import { Button, Checkbox, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { creditUnits } from '../../../engine/contract/credits.ts';
import type { AppEstimate } from '../../../engine/contract/jobs/app-jobs.ts';
import type { LayersData } from '../../../engine/contract/jobs/job.ts';
import {
  type LayerCode,
  layerByCode,
  layerCodes,
  nameLayer,
  resolveSelection,
} from '../../../engine/contract/jobs/layers.ts';
import { useLayers } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countCredits, countOf, countUnits, showShare, unitsOf } from '../../components/numbers.ts';
import { addLayers, isIdle, toggleLayer } from './choose-layers.ts';
import { useFlow } from './flow.tsx';
import { countCreditsAbout, roundAbout, showAbout } from './price/about.ts';
import { ChargeRule } from './price/charge-rule.tsx';
import { isExpensive, readOutlook } from './price/layer-outlook.ts';
import classes from './price/layers.module.css';
import { Step } from './step.tsx';

type Layer = LayersData['layers'][number];

/** A sentence of the engine with the names of layers instead of their codes. */
const nameCodes = (sentence: string): string =>
  layerCodes.reduce(
    (text, code) => text.replace(new RegExp(`\\b${code}\\b`, 'g'), nameLayer(code)),
    sentence,
  );

/** The error of a selection in a sentence; null if it can be priced. */
export function findLayerProblem(
  selection: readonly LayerCode[],
  data: LayersData | undefined,
): string | null {
  if (selection.length === 0) return 'Choose at least one layer.';
  const active = data?.layers.filter((layer) => layer.active).map(({ code }) => code);
  if (!active) return null;
  const answer = resolveSelection(selection, active);
  return 'problem' in answer ? nameCodes(answer.problem) : null;
}

/** The credits of a hit: rounded, and then marked. */
function showPerHit(credits: number): string {
  const rounded = roundAbout(credits);
  return `${rounded === credits ? '' : 'about '}${showAbout(credits, false)}`;
}

/** What the layer costs where it finds something, if that is much more than its price. */
function ExpensiveNote({ layer, estimate }: { layer: Layer; estimate: AppEstimate }) {
  const outlook = readOutlook(estimate, layer.code);
  if (!outlook || outlook.perHit === null || !isExpensive(outlook, layer.price)) return null;
  const { one, many } = layerByCode[layer.code].hit;
  const price = `${countCredits(layer.price)} per enriched row`;
  const hits = `${many} in ${showShare(outlook.share)} of rows`;
  return (
    <Text size="xs" c="var(--desk-ambiguous)">
      {`${price}, ${hits}: ${showPerHit(outlook.perHit)} per ${one}.`}
    </Text>
  );
}

/** What is expected of a layer, also before it is chosen; nothing without a dry run. */
function Expected({ layer, estimate }: { layer: Layer; estimate: AppEstimate | undefined }) {
  const outlook = estimate ? readOutlook(estimate, layer.code) : null;
  if (!outlook) return null;
  const { share, rows, credits, isExact } = outlook;
  const about = isExact ? '' : 'about ';
  const price = `${about}${countCreditsAbout(credits, isExact)}`;
  const hits = layerByCode[layer.code].hit.many;
  return (
    <Text size="xs" className="numbers">
      {rows > 0
        ? `Finds ${about}${showAbout(isExact ? rows : Math.round(rows), isExact)}, ` +
          `${showShare(share)} of rows, for ${price}`
        : `Finds no ${hits} in ${isExact ? 'this list' : 'the rows tried'}, ` +
          (credits > 0 ? `but each enriched row pays for the layer: ${price}` : 'so it is free')}
    </Text>
  );
}

function Fields({ fields, estimate }: { fields: readonly string[]; estimate?: AppEstimate }) {
  const rates = estimate?.preview?.fill_rate;
  return (
    <ul className={classes.fields}>
      {fields.map((field) => (
        <li key={field}>
          {field} {rates && <span className="numbers">{showShare(rates[field] ?? 0)}</span>}
        </li>
      ))}
    </ul>
  );
}

const listNeeding = (code: LayerCode, selection: readonly LayerCode[]): string =>
  selection
    .filter((each) => layerByCode[each].requires.includes(code))
    .map(nameLayer)
    .join(', ');

/** Said before the click, because no line of the list has this layer and its price. */
const describeAdded = ({ code, price }: Layer): string =>
  `It also selects ${nameLayer(code)}, for ${countCredits(price)}.`;

interface LayerItemProps {
  layer: Layer;
  outlook: AppEstimate | undefined;
  estimate: AppEstimate | undefined;
}

/** @param outlook a dry run of all layers @param estimate that of the chosen ones, priced */
function LayerItem({ layer, outlook, estimate }: LayerItemProps) {
  const { flow, actions } = useFlow();
  const { data } = useLayers();
  const [isOpen, { toggle }] = useDisclosure(false);
  const { code, active, fields, price } = layer;
  const idle = isIdle(code, flow.mapping);
  const needing = listNeeding(code, flow.selection);
  const hidden = (data?.layers ?? []).filter(
    (each) =>
      layerByCode[code].requires.includes(each.code) &&
      !flow.selection.includes(each.code) &&
      isIdle(each.code, flow.mapping),
  );
  const description = idle
    ? `It finds nothing for a list of companies${needing && `, but is needed for ${needing}`}.`
    : [layer.description, ...hidden.map(describeAdded)].join(' ');
  const isChosen = flow.selection.includes(code);
  const label = nameLayer(code);
  const known = isChosen && estimate ? estimate : outlook;
  return (
    <li
      className={classes.layer}
      data-chosen={isChosen || undefined}
      data-off={!active || undefined}
    >
      <Checkbox
        id={`layer-${code}`}
        checked={isChosen}
        disabled={!active}
        onChange={() => actions.change(toggleLayer(flow.selection, code))}
        aria-label={`${label}, ${countCredits(price)} per enriched row`}
        aria-describedby={`about-${code}`}
      />
      <div className={classes.about}>
        <span className={classes.head}>
          <label className={classes.name} htmlFor={`layer-${code}`}>
            {label}
          </label>
          <span className={`${classes.price} numbers`}>{countCredits(price)}</span>
        </span>
        <Text span size="xs" c="dimmed" id={`about-${code}`}>
          {active ? description : 'Switched off for this account in Settings.'}
        </Text>{' '}
        <UnstyledButton className={classes.fieldsButton} onClick={toggle} aria-expanded={isOpen}>
          {countOf(fields.length, 'field')}
          <VisuallyHidden> of {label}</VisuallyHidden>
          <IconChevronRight size={14} aria-hidden data-open={isOpen || undefined} />
        </UnstyledButton>
        {!idle && <Expected layer={layer} estimate={known} />}
        {isChosen && estimate && !idle && <ExpensiveNote layer={layer} estimate={estimate} />}
        {isOpen && <Fields fields={fields} {...(known && { estimate: known })} />}
      </div>
    </li>
  );
}

interface LayersStepProps {
  estimate: AppEstimate | undefined;
  outlook: AppEstimate | undefined;
  isCounting: boolean;
}

/** @param estimate of the selection; undefined without a price @param outlook of all layers */
export function LayersStep({ estimate, outlook, isCounting }: LayersStepProps) {
  const { flow, actions } = useFlow();
  const { data, error, refetch } = useLayers();
  const problem = findLayerProblem(flow.selection, data);
  const useful = data?.layers.filter(({ code }) => !isIdle(code, flow.mapping)) ?? [];
  const isOffered = (layer: Layer) => useful.includes(layer) || flow.selection.includes(layer.code);
  const offered = data?.layers.filter(isOffered) ?? [];
  const chosen = offered.filter(({ code }) => flow.selection.includes(code));
  const perRow = creditUnits(chosen.reduce((sum, { price }) => sum + unitsOf(price), 0));
  const chooseAll = () => {
    const all = data?.full.selected_layers ?? [];
    const wanted = all.filter((code) => !isIdle(code, flow.mapping));
    actions.change(addLayers(flow.selection, wanted));
  };
  return (
    <Step
      title="What to find (layers)"
      facts={
        <>
          {countUnits(perRow)} per enriched row ·{' '}
          <strong>{chosen.map(({ code }) => nameLayer(code)).join(', ') || 'None'}</strong>
        </>
      }
      action={
        <Button size="xs" aria-label="All layers" onClick={chooseAll} disabled={!data}>
          All
        </Button>
      }
      isSettled={data !== undefined && problem === null}
    >
      <ErrorPanel title="The layers could not be loaded" error={error} onRetry={refetch} />
      {data ? (
        <ul
          className={classes.layers}
          aria-label="Layers and what they find"
          aria-busy={isCounting}
        >
          {offered.map((layer) => (
            <LayerItem key={layer.code} layer={layer} outlook={outlook} estimate={estimate} />
          ))}
        </ul>
      ) : (
        <Skeleton height={360} />
      )}
      <div role="status">
        {problem ? (
          <Text size="sm" c="var(--desk-failed)">
            {problem}
          </Text>
        ) : (
          flow.layerNote && <Text size="sm">{flow.layerNote}</Text>
        )}
      </div>
      {chosen.length > 1 && <ChargeRule />}
    </Step>
  );
}
