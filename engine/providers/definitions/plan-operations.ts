// Chooses the operations of a definition that answer the fields of a request.
import type {
  FieldTerms,
  ProviderField,
  ProviderRow,
  ProviderTerms,
  RequestedRow,
  SharedCost,
} from '../../contract/provider.ts';
import type { ProviderDefinition, ProviderOperation } from '../../contract/provider-definition.ts';
import { findShared } from '../waterfall/cost-terms.ts';

export interface PlannedOperation {
  readonly operation: ProviderOperation;
  readonly rows: readonly RequestedRow[];
  readonly positions: readonly number[];
}

const satisfies = (row: ProviderRow, operation: ProviderOperation): boolean =>
  operation.needs.some((names) => names.every((name) => (row[name] ?? '').trim() !== ''));

/** The operations of one row: repeatedly the one that gives the most of the remaining fields. */
function chooseOperations(operations: readonly ProviderOperation[], { row, fields }: RequestedRow) {
  const usable = operations.filter((operation) => satisfies(row, operation));
  const chosen: { operation: ProviderOperation; fields: ProviderField[] }[] = [];
  let open = [...fields];
  for (;;) {
    const [best] = usable
      .map((operation) => ({
        operation,
        fields: open.filter((field) => operation.gives.includes(field)),
      }))
      .sort((a, b) => b.fields.length - a.fields.length);
    if (!best || best.fields.length === 0) return chosen;
    chosen.push(best);
    open = open.filter((field) => !best.fields.includes(field));
  }
}

/**
 * Whether the part of a batch that all rows share says which fields are wanted. Its rows must want
 * the same fields then: a row would be charged for fields that only another row wants.
 */
const sharesWants = ({ batch, request: { url, query, body } }: ProviderOperation): boolean =>
  batch.wrap !== undefined && /\{\{\s*wants\./.test(JSON.stringify([url, query, body]));

/**
 * Groups the rows of a request by operation. Fields that no operation can answer are left out. The
 * result depends on the arguments alone, so that a poll can repeat it.
 */
export function planOperations(
  definition: ProviderDefinition,
  rows: readonly RequestedRow[],
): PlannedOperation[] {
  const groups = new Map<
    string,
    PlannedOperation & { rows: RequestedRow[]; positions: number[] }
  >();
  for (const [at, requested] of rows.entries())
    for (const { operation, fields } of chooseOperations(definition.ops, requested)) {
      const name = [operation.id, ...(sharesWants(operation) ? fields.toSorted() : [])].join(' ');
      const group = groups.get(name) ?? { operation, rows: [], positions: [] };
      group.rows.push({ row: requested.row, fields });
      group.positions.push(at);
      groups.set(name, group);
    }
  return [...groups.values()];
}

/**
 * The costs of rows that fields share, if there are several operations. A row's fields that the
 * same operations give are always answered by one of them together; any other field may be charged
 * by an operation of its own.
 */
function listSharedCosts(ops: readonly ProviderOperation[]): SharedCost[] {
  const givers = (field: ProviderField) => ops.filter(({ gives }) => gives.includes(field));
  const fields = [...new Set(ops.flatMap(({ gives }) => gives))];
  const groups = Map.groupBy(fields, (field) =>
    givers(field)
      .map(({ id }) => id)
      .join(),
  );
  return [...groups.values()].flatMap((together) => {
    const [first] = together;
    const costs = first ? givers(first).map(({ cost }) => cost.max.row) : [];
    const costMaxCredits = Math.max(0, ...costs);
    return together.length > 1 && costMaxCredits > 0 ? [{ fields: together, costMaxCredits }] : [];
  });
}

/** The terms of a provider: what it can answer and what that costs at most. */
export function describeTerms(definition: ProviderDefinition): ProviderTerms {
  const { ops, limits, health } = definition;
  const fields: Partial<Record<ProviderField, FieldTerms>> = {};
  // With one operation, the cost of a row is charged once for all fields.
  const [only] = ops.length === 1 ? ops : [];
  const sharedCosts = only ? [] : listSharedCosts(ops);
  for (const operation of ops)
    for (const field of operation.gives) {
      const { max } = operation.cost;
      const isShared = only || findShared({ sharedCosts }, field);
      const costMaxCredits = (isShared ? 0 : max.row) + (max.fields[field] ?? 0);
      const known = fields[field];
      fields[field] = {
        needs: [...(known?.needs ?? []), ...operation.needs],
        costMaxCredits: Math.max(costMaxCredits, known?.costMaxCredits ?? 0),
      };
    }
  return {
    id: definition.id,
    title: definition.title,
    rowsMax: Math.min(...ops.map(({ batch }) => batch.max)),
    requestsMax: limits.concurrency,
    fields,
    rowCostMaxCredits: only?.cost.max.row ?? 0,
    ...(sharedCosts.length > 0 && { sharedCosts }),
    ...(health?.balance !== undefined &&
      ops.some(({ cost }) => cost.reported === undefined) && { isMeasuredByBalance: true }),
    keepDays: definition.keepDays ?? null,
  };
}
