/** The theme: indigo accent, radius 8, Inter, contrasts that meet AA. */
import {
  Alert,
  Card,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  Modal,
  Notification,
  NumberInput,
  SegmentedControl,
  Select,
  Tooltip,
} from '@mantine/core';
import { inLocale } from './preferences/locale.ts';

/** The field accepts ASCII digits only, so Arabic separators would not fit them. */
const decimalSeparator = (): ',' | '.' => (inLocale().separators.decimal === ',' ? ',' : '.');

const alertTones: Record<string, string> = { red: 'failed', teal: 'enriched' };

/** The theme of all Mantine components. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '8px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
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
    Alert: Alert.extend({
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
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Hide this message' } },
    }),
    Card: Card.extend({ defaultProps: { withBorder: true, padding: 'lg' } }),
    Drawer: Drawer.extend({
      defaultProps: { transitionProps: { duration: 120 }, padding: 'xl' },
      styles: { title: { fontSize: 16, fontWeight: 600 } },
    }),
    Modal: Modal.extend({
      defaultProps: { transitionProps: { duration: 120 }, centered: true },
      styles: { title: { fontSize: 16, fontWeight: 600 } },
    }),
    NumberInput: NumberInput.extend({ defaultProps: { decimalSeparator: decimalSeparator() } }),
    // In dark mode the library's track has the page's background colour.
    SegmentedControl: SegmentedControl.extend({
      styles: {
        root: { background: 'var(--desk-input)' },
        indicator: { background: 'var(--desk-raised)' },
      },
    }),
    Select: Select.extend({
      defaultProps: { comboboxProps: { transitionProps: { duration: 0 } } },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, transitionProps: { duration: 80 } },
    }),
  },
});

/** The library's greys have too little contrast for small text; these have at least 4.5 to 1. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59616b',
    '--mantine-color-placeholder': '#6b737c',
    '--mantine-color-body': '#ffffff',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a8ae',
    '--mantine-color-placeholder': '#9499a0',
    '--mantine-color-body': '#17181b',
    '--mantine-color-disabled': '#2a2d32',
    '--mantine-color-disabled-color': '#80868f',
  },
});
