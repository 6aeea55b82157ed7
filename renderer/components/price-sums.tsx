// A price as a sum: a line per part, the maximum, and the available credits of a budget.
import { showCount, showCredits } from './numbers.ts';
import classes from './price-sums.module.css';

/** A part of a price; amounts are decimal strings in credits. */
export interface PricePart {
  readonly name: string;
  readonly price: string;
  readonly subtotal: string;
}

export function PriceSums(props: {
  parts: readonly PricePart[];
  count: number;
  most: string;
  /** null if the balance is no limit. */
  available: string | null;
}) {
  return (
    <table className={classes.sums}>
      <caption className="mantine-visually-hidden" hidden>
        Price
      </caption>
      <tbody>
        {props.parts.map(({ name, price, subtotal }) => (
          <tr key={name}>
            <th scope="row">
              {name}, {showCount(props.count)} × {showCredits(price)}
            </th>
            <td>{showCredits(subtotal)}</td>
          </tr>
        ))}
        <tr data-total>
          <th scope="row">At most</th>
          <td>{showCredits(props.most)}</td>
        </tr>
        {props.available !== null && (
          <tr>
            <th scope="row">Available</th>
            <td>{showCredits(props.available)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
