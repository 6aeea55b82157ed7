/** What the product does, as one row before and after. */
import { Box, Card, Text, Title } from '@mantine/core';
import { StatusChip } from '../../../components/status-chip.tsx';
import classes from './welcome.module.css';

/** An invented contact. */
const given = [
  ['First name', 'Ada'],
  ['Last name', 'Lovell'],
  ['Company', 'Analytical Engines'],
] as const;
const found = [
  ['Current company', 'Babbage Instruments'],
  ['Current title', 'Head of Sales'],
  ['Email', 'ada@babbage.example'],
  ['Contact city', 'London'],
] as const;

const columns = [
  ...given.map(([name, value]) => ({ name, value, isFound: false })),
  ...found.map(([name, value]) => ({ name, value, isFound: true })),
];

function ExampleRows() {
  return (
    <Box
      component="section"
      className={classes.scroll}
      tabIndex={0}
      aria-label="A row before and after"
    >
      <table className={classes.example}>
        <thead>
          <tr>
            <td />
            {columns.map(({ name, isFound }) => (
              <th key={name} scope="col" data-found={isFound || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Your row</th>
            {columns.map(({ name, value, isFound }) => (
              <td key={name}>{isFound ? '' : value}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">
              With results <StatusChip status="changed" label="changed jobs" />
            </th>
            {columns.map(({ name, value, isFound }) => (
              <td key={name} data-found={isFound || undefined}>
                {value}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </Box>
  );
}

export function BeforeAfter() {
  return (
    <Card component="section" aria-labelledby="before-after">
      <Title order={2} id="before-after" mb={8}>
        What you get
      </Title>
      <ExampleRows />
      <Text size="sm" mt="sm">
        Your lists are the source. Nothing leaves this machine unless you turn on a data service or
        a team’s directory.
      </Text>
    </Card>
  );
}
