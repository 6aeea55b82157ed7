// `desk rates …`: what an account pays per row of each layer.
import { parseCredits } from '../../contract/credits.ts';
import { nameLayer } from '../../contract/jobs/layers.ts';
import { type Rate, rates } from '../../contract/rate-card.ts';
import { rateCodes } from '../../contract/rates.ts';
import { answerOf, type Command } from '../kit/command.ts';
import { formatAmount, formatCreditCount, formatTable } from '../kit/format-text.ts';
import { badUsage } from '../kit/refusal.ts';

const describeRate = ({ code, label, price, active }: Rate): string[] => [
  code,
  code === 'email_validation' ? label : nameLayer(code),
  formatAmount(price),
  active ? '' : 'switched off',
];

/** The code of a rate, in any case. Throws bad usage for an unknown one. */
function readCode(text: string) {
  const code = rateCodes.find((one) => one.toLowerCase() === text.toLowerCase());
  if (code === undefined)
    throw badUsage(`There is no rate "${text}". Use one of ${rateCodes.join(', ')}.`);
  return code;
}

export const rateCommands: readonly Command[] = [
  {
    name: 'rates show',
    summary: 'Show the prices of an account, per row',
    run: (call) =>
      answerOf(call, rates.list, {}, (listed) => formatTable(listed.map(describeRate), [2])),
  },
  {
    name: 'rates set',
    summary: 'Change a price of an account',
    args: '<CODE> <PRICE>',
    notes: [`CODE is one of ${rateCodes.join(', ')}. Jobs keep the prices at their start.`],
    async run(call) {
      const [codeText = '', price = ''] = call.positionals;
      const code = readCode(codeText);
      const units = parseCredits(price);
      if (units === null || units < 0)
        throw badUsage(`"${price}" is not a price. Give credits of 0 or more, such as 1.5.`);
      return answerOf(call, rates.change, { code, price }, (rate) => [
        `${code} costs ${formatCreditCount(rate.price)} now.`,
      ]);
    },
  },
];
