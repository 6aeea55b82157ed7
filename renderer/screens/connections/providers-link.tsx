/** The part of Connections that leads to the user's data services. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Section } from '../../components/section.tsx';

export const ProvidersLink = () => (
  <Section
    title="Data services"
    sentence="Your own accounts elsewhere, asked for what the directory leaves open."
    action={
      <Button component={Link} href="/connections/providers" variant="default">
        Open data services
      </Button>
    }
  >
    {null}
  </Section>
);
