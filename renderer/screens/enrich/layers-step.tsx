/**
 * Step 3: the layers with their fields, prices, and what each is expected to find. The order rule
 * is applied and explained.
 */
import {
  Box,
  Button,
  Checkbox,
  Skeleton,
  Table,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
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
import {
  countCredits,
  countOf,
  countUnits,
  showCredits,
  showShare,
  unitsOf,
} from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { toggleLayer } from './choose-layers.ts';
import { useFlow } from './flow.tsx';
import { roundAbout, showAbout } from './price/about.ts';
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

function LayerText({ layer, estimate }: { layer: Layer; estimate: AppEstimate | undefined }) {
  const { code, description, fields, active } = layer;
  const label = nameLayer(code);
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <span className={classes.head}>
        <label className={classes.name} htmlFor={`layer-${code}`}>
          {label}
        </label>
        <UnstyledButton className={classes.fieldsButton} onClick={toggle} aria-expanded={isOpen}>
          <IconChevronRight size={14} aria-hidden data-open={isOpen || undefined} />
          {countOf(fields.length, 'field')}
          <VisuallyHidden> of {label}</VisuallyHidden>
        </UnstyledButton>
      </span>
      <Text size="sm" c="dimmed" id={`about-${code}`}>
        {active ? description : 'Switched off for this account in Settings.'}
      </Text>
      {estimate && <ExpensiveNote layer={layer} estimate={estimate} />}
      {isOpen && (
        <Text size="xs" c="dimmed">
          {fields.join(', ')}
        </Text>
      )}
    </>
  );
}

/** The expected hits, their credits, and the credits of one hit; dashes without a dry run. */
function OutlookCells({ layer, estimate }: { layer: Layer; estimate: AppEstimate | undefined }) {
  const outlook = estimate ? readOutlook(estimate, layer.code) : null;
  if (!outlook)
    return (
      <>
        <Table.Td className={tableClasses.number}>–</Table.Td>
        <Table.Td className={tableClasses.number}>–</Table.Td>
        <Table.Td className={tableClasses.number}>–</Table.Td>
      </>
    );
  const { share, rows, credits, perHit, isExact } = outlook;
  const about = isExact ? '' : 'about ';
  return (
    <>
      <Table.Td className={tableClasses.number}>
        {about}
        {showAbout(isExact ? rows : Math.round(rows), isExact)}
        <Text size="xs" c="dimmed">
          {showShare(share)} of rows
        </Text>
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        {about}
        {showAbout(credits, isExact)}
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        {perHit === null ? 'none found' : showPerHit(perHit)}
      </Table.Td>
    </>
  );
}

function LayerRow({ layer, estimate }: { layer: Layer; estimate: AppEstimate | undefined }) {
  const { flow, actions } = useFlow();
  const { code, price, active } = layer;
  const isChosen = flow.selection.includes(code);
  return (
    <Table.Tr data-chosen={isChosen || undefined} data-off={!active || undefined}>
      <Table.Td className={classes.check}>
        <Checkbox
          id={`layer-${code}`}
          checked={isChosen}
          disabled={!active}
          onChange={() => actions.change(toggleLayer(flow.selection, code))}
          aria-label={`${nameLayer(code)}, ${countCredits(price)} per enriched row`}
          aria-describedby={`about-${code}`}
        />
      </Table.Td>
      <Table.Td>
        <LayerText layer={layer} estimate={isChosen ? estimate : undefined} />
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCredits(price)}</Table.Td>
      <OutlookCells layer={layer} estimate={isChosen ? estimate : undefined} />
    </Table.Tr>
  );
}

function LayerTable({
  data,
  estimate,
  isCounting,
}: {
  data: LayersData;
  estimate: AppEstimate | undefined;
  isCounting: boolean;
}) {
  return (
    <Box
      component="section"
      className={classes.scroll}
      tabIndex={0}
      aria-label="Layers and what they find"
      aria-busy={isCounting}
    >
      <Table
        className={`${tableClasses.table} ${classes.table}`}
        verticalSpacing={8}
        horizontalSpacing={12}
        miw={640}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <VisuallyHidden>Selected</VisuallyHidden>
            </Table.Th>
            <Table.Th>Layer</Table.Th>
            <Table.Th ta="right">Credits per row</Table.Th>
            <Table.Th ta="right">Expected hits</Table.Th>
            <Table.Th ta="right">Expected credits</Table.Th>
            <Table.Th ta="right">Credits per hit</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.layers.map((layer) => (
            <LayerRow key={layer.code} layer={layer} estimate={estimate} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

/** @param estimate what is known of the selection; undefined without a price */
export function LayersStep({
  estimate,
  isCounting,
}: {
  estimate: AppEstimate | undefined;
  isCounting: boolean;
}) {
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
          <strong>{chosen.map(({ code }) => nameLayer(code)).join(', ') || 'None'}</strong> ·{' '}
          {countUnits(perRow)} per enriched row. Skipped and failed rows cost nothing.
        </>
      }
      action={
        <Button size="xs" variant="default" onClick={chooseAll} disabled={!data}>
          All layers
        </Button>
      }
      isSettled={data !== undefined && problem === null}
    >
      {error && (
        <ErrorPanel
          title="The layers could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {data ? (
        <LayerTable data={data} estimate={estimate} isCounting={isCounting} />
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
