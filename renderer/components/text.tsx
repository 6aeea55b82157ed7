// Texts and links in the sizes of the screens.
import { Anchor, type AnchorProps, type ElementProps, Text, type TextProps } from '@mantine/core';
import { Link } from 'wouter';

type QuietProps = TextProps & ElementProps<'p', keyof TextProps>;

export const Note = (props: QuietProps) => <Text size="sm" c="dimmed" {...props} />;

export const Caption = (props: QuietProps) => <Text size="xs" c="dimmed" {...props} />;

type ScreenLinkProps = AnchorProps & ElementProps<'a', keyof AnchorProps> & { href: string };

export const ScreenLink = (props: ScreenLinkProps) => (
  <Anchor component={Link} size="sm" {...props} />
);
