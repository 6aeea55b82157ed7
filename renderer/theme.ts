// The theme: indigo accent, radius 8, Inter, contrasts that meet AA.
import {
  type AlertFactory,
  type ButtonFactory,
  type CardFactory,
  type CloseButtonFactory,
  type CSSVariablesResolver,
  createTheme,
  type DrawerFactory,
  type ExtendComponent,
  type FactoryPayload,
  type KbdFactory,
  type MantineThemeComponent,
  type ModalFactory,
  type NotificationFactory,
  type NumberInputFactory,
  type SegmentedControlFactory,
  type SelectFactory,
  type TooltipFactory,
} from '@mantine/core';
import { inLocale } from './preferences/locale.ts';

/** The field accepts ASCII digits only, so Arabic separators would not fit them. */
const decimalSeparator = (): ',' | '.' => (inLocale().separators.decimal === ',' ? ',' : '.');

/** Side of a close or clear button; the library's smallest are under the 24 px of a target. */
const closeButtonSizes: Readonly<Record<string, string>> = {
  xs: '24px',
  sm: '24px',
  md: '28px',
  lg: '34px',
  xl: '44px',
};

const alertTones: Record<string, string> = {
  red: 'failed',
  teal: 'enriched',
  yellow: 'ambiguous',
};

/** A component's own `extend` would load each of them with the first screen. */
const extend = <Payload extends FactoryPayload>(
  component: ExtendComponent<Payload>,
): MantineThemeComponent => component as MantineThemeComponent;

const dialogProps = {
  transitionProps: { duration: 120 },
  closeButtonProps: { 'aria-label': 'Close' },
};

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '8px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  // The library's list ends in Courier New where a system has none of its other fonts.
  fontFamilyMonospace:
    "ui-monospace, SFMono-Regular, Menlo, 'Cascadia Mono', Consolas, 'DejaVu Sans Mono', " +
    "'Liberation Mono', monospace",
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '15px', lineHeight: '22px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  colors: {
    dark: [
      '#dcdfe4',
      '#b6bac1',
      '#9aa0a8',
      '#6b7078',
      '#3d4148',
      '#2a2d32',
      '#1c1e22',
      '#17181b',
      '#121315',
      '#0c0d0e',
    ],
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // The library's tints have too little contrast for text in light mode, and too much in dark
    // mode.
    Alert: extend<AlertFactory>({
      vars: (_theme, { color }) => {
        const tone = alertTones[String(color)] ?? 'running';
        return {
          root: {
            '--alert-bg': `var(--desk-${tone}-ground)`,
            '--alert-color': `var(--desk-${tone})`,
          },
        };
      },
    }),
    Notification: extend<NotificationFactory>({
      defaultProps: { closeButtonProps: { 'aria-label': 'Hide this message' } },
    }),
    CloseButton: extend<CloseButtonFactory>({
      vars: (_theme, { size }) => ({
        root: { '--cb-size': closeButtonSizes[String(size)] ?? closeButtonSizes.md },
      }),
    }),
    // A filled button is the main action of its screen or dialog, and says so.
    Button: extend<ButtonFactory>({ defaultProps: { variant: 'default' } }),
    Card: extend<CardFactory>({ defaultProps: { withBorder: true, padding: 'lg' } }),
    Drawer: extend<DrawerFactory>({
      defaultProps: { ...dialogProps, padding: 'xl' },
      styles: { title: { fontSize: 16, fontWeight: 600 } },
    }),
    Modal: extend<ModalFactory>({
      defaultProps: { ...dialogProps, centered: true },
      styles: {
        title: { fontSize: 16, fontWeight: 600 },
        content: { background: 'var(--desk-surface)' },
        header: { background: 'var(--desk-surface)' },
      },
    }),
    Kbd: extend<KbdFactory>({ styles: { root: { fontFamily: 'inherit' } } }),
    NumberInput: extend<NumberInputFactory>({
      defaultProps: { decimalSeparator: decimalSeparator() },
    }),
    // In dark mode the library's track has the page's background colour.
    SegmentedControl: extend<SegmentedControlFactory>({
      styles: {
        root: { background: 'var(--desk-input)', flexWrap: 'wrap' },
        indicator: { background: 'var(--desk-raised)' },
      },
    }),
    Select: extend<SelectFactory>({
      defaultProps: { comboboxProps: { transitionProps: { duration: 0 } } },
    }),
    Tooltip: extend<TooltipFactory>({
      defaultProps: { openDelay: 300, transitionProps: { duration: 80 } },
    }),
  },
});

const reds = {
  '--mantine-color-error': 'var(--desk-failed)',
  '--mantine-color-red-text': 'var(--desk-failed)',
  '--mantine-color-red-light-color': 'var(--desk-failed)',
  '--mantine-color-red-outline': 'var(--desk-failed)',
  '--mantine-color-red-filled': '#c92a2a',
  '--mantine-color-red-filled-hover': '#b02525',
};

/** The library's greys and reds have too little contrast for text; these have at least 4.5 to 1. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59616b',
    '--mantine-color-placeholder': '#6b737c',
    '--mantine-color-body': '#ffffff',
    ...reds,
  },
  dark: {
    '--mantine-color-dimmed': '#a3a8ae',
    '--mantine-color-placeholder': '#9499a0',
    '--mantine-color-body': '#17181b',
    ...reds,
    '--mantine-color-disabled': '#2a2d32',
    '--mantine-color-disabled-color': '#80868f',
  },
});
