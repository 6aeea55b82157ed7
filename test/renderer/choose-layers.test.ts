// Clicking layers: whatever is clicked, the selection keeps its order rule and changes are
// explained.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LayerCode, layerCodes, resolveSelection } from '../../engine/contract/jobs/layers.ts';
import { toggleLayer } from '../../renderer/screens/enrich/choose-layers.ts';

test('no sequence of clicks selects a layer without its required layers', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...layerCodes), { maxLength: 20 }), (clicks) => {
      let selection: LayerCode[] = ['L1'];
      for (const code of clicks) {
        const before = selection;
        const after = toggleLayer(before, code);
        selection = after.selection;
        expect(selection.includes(code)).toBe(!before.includes(code));
        const others = before.filter((each) => each !== code).length;
        const moved = Math.abs(selection.filter((each) => each !== code).length - others);
        expect(after.layerNote !== null).toBe(moved > 0);
        const alone = selection.length === 0 || selection.join() === 'MPA';
        if (!alone) expect(resolveSelection(selection, layerCodes)).toEqual({ codes: selection });
      }
    }),
  );
});

test('selecting the third layer selects the second, and clearing the first clears all but phones', () => {
  expect(toggleLayer(['L1'], 'L3')).toEqual({
    selection: ['L1', 'L2', 'L3'],
    layerNote: 'New company needs Company location, so it was added too.',
  });
  expect(toggleLayer(['L1', 'L2', 'L3', 'MPA'], 'L1')).toEqual({
    selection: ['MPA'],
    layerNote: 'Company location and New company need Current job, so they were removed too.',
  });
});
