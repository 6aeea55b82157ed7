/** What can be done with a value: a link for addresses, and a button that copies it. */
import { Anchor } from '@mantine/core';
import { Fragment } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { isAddressField, webAddress } from '../../components/web-address.ts';
import classes from './row-panel.module.css';

const isEmail = (value: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);
const isPhone = (name: string): boolean => /phone|mobile|tel/i.test(name);

function findHref(name: string, value: string): string | null {
  if (isEmail(value)) return `mailto:${value}`;
  if (isPhone(name) && /\d/.test(value)) return `tel:${value.replace(/[^\d+]/g, '')}`;
  return isAddressField(name) ? webAddress(value) : null;
}

/** A value, as a link with a copy button if it is an email, a phone or an address. */
export function ActiveValue({ name, value }: { name: string; value: string }) {
  const href = findHref(name, value);
  if (href === null) return value;
  const isWeb = href.startsWith('http');
  // Lines of a long address end behind its signs, not within a word.
  const parts = [...value.matchAll(/[^@./-]*[@./-]?/g)];
  return (
    <span className={classes.active}>
      <Anchor
        href={href}
        size="sm"
        underline="always"
        {...(isWeb ? { target: '_blank', rel: 'noreferrer' } : {})}
      >
        {parts.map(({ 0: part, index }) => (
          <Fragment key={index}>
            {part}
            <wbr />
          </Fragment>
        ))}
      </Anchor>
      <CopyButton value={value} label={`Copy ${value}`} />
    </span>
  );
}
