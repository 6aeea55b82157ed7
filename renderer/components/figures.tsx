/** A row of large numbers, each with its name: numbers are the heroes. */
import { Skeleton } from '@mantine/core';
import classes from './figures.module.css';

/** The figures; one without a value is still on its way. */
export function Figures({
  figures,
}: {
  figures: readonly { label: string; value: string | undefined }[];
}) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value }) => (
        <div key={label} className={classes.figure}>
          <dt>{label}</dt>
          <dd>{value ?? <Skeleton height={20} width={90} mt={4} />}</dd>
        </div>
      ))}
    </dl>
  );
}
