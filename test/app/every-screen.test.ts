/**
 * Accessibility and responsive layout of every screen in both shells; optional screenshots.
 * @module-tag full
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleAndResponsive, findViolations } from '../accessibility.ts';
import {
  chooseFile,
  goTo,
  goToImports,
  loadSample,
  type OpenDesk,
  openDesk,
  openTab,
  sampleLoaded,
  shells,
} from '../open-desk.ts';
import { readScreenTable } from '../read-screen-table.ts';

const picturesDir = join(import.meta.dirname, '../../docs/screenshots');
const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');

let desk: OpenDesk;
let page: Page;
const openJob = async () => {
  await goTo(page, 'Jobs');
  await page.getByRole('link', { name: 'contacts' }).first().click();
  await page.getByRole('gridcell').first().waitFor();
};

const table = readScreenTable();
const sidebar = table.filter(({ isInSidebar }) => isInSidebar);
const sidebarNames = sidebar.map(({ title }) => title.toLowerCase());

/**
 * How to reach each screen; those of the sidebar by their links. The first one is of an empty
 * installation.
 */
const screens: Record<string, () => Promise<unknown>> = {
  ...Object.fromEntries(sidebar.map(({ title }) => [title.toLowerCase(), () => goTo(page, title)])),
  enrich: async () => {
    await goTo(page, 'Enrich');
    const change = page.getByRole('button', { name: 'Change', exact: true });
    if (await change.isVisible()) await change.click();
  },
  flow: async () => {
    await screens.enrich?.();
    await chooseFile(page, contacts);
    await page.getByText(/^Expected, from a free dry run/).waitFor();
  },
  unlock: async () => {
    await goTo(page, 'Directory');
    await page.getByRole('link', { name: 'Emails and phones' }).click();
  },
  job: openJob,
  details: async () => {
    await openJob();
    await page.getByRole('gridcell').first().dblclick();
    await page.getByRole('region', { name: 'Found' }).waitFor();
  },
  review: async () => {
    await openJob();
    await page.getByRole('link', { name: /^Review [1-9]/ }).click();
    await page.getByRole('region', { name: 'Review' }).waitFor();
  },
  found: async () => {
    await openJob();
    await page.getByText('Found only').click();
  },
  draft: async () => {
    await screens.unlock?.();
    await page.getByRole('link', { name: 'Show emails and phones' }).click();
    await page.getByText(/^Expected: /).waitFor();
  },
  pipeline: async () => {
    await screens.unlock?.();
    await page.getByRole('link', { name: 'contacts' }).click();
    await page.getByRole('gridcell').first().waitFor();
  },
  monitor: async () => {
    await goTo(page, 'Monitors');
    await page.getByRole('link', { name: 'contacts', exact: true }).first().click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  },
  plan: async () => {
    await goTo(page, 'Monitors');
    await page.getByRole('link', { name: 'New monitor' }).click();
    await page.locator('main input[type=file]').first().setInputFiles(contacts);
    await page.getByRole('button', { name: /^Create monitor, at most 300/ }).waitFor();
  },
  help: () => goTo(page, 'Help'),
  assistants: () => openConnections('Assistants'),
  webhooks: () => openConnections('Webhooks'),
  requests: () => openConnections('Requests'),
  'team directory': () => openConnections('Team directory'),
  providers: async () => {
    await goTo(page, 'Connections');
    await page.getByRole('link', { name: 'Data services' }).click();
    await page.getByRole('button', { name: 'Add a data service' }).waitFor();
  },
  person: async () => {
    await goTo(page, 'Directory');
    await page.getByRole('grid', { name: 'People found' }).getByRole('gridcell').first().click();
    await page.getByText('No job has used this person.').waitFor();
  },
  companies: async () => {
    await goTo(page, 'Directory');
    await page.getByRole('link', { name: 'Companies', exact: true }).click();
    await page
      .getByRole('grid', { name: 'Companies found' })
      .getByRole('gridcell')
      .first()
      .waitFor();
  },
  company: async () => {
    await screens.companies?.();
    await page.getByRole('grid', { name: 'Companies found' }).getByRole('gridcell').first().click();
    await page.getByRole('region', { name: 'Values of the company' }).waitFor();
  },
  imports: async () => {
    await goToImports(page);
    await page.getByRole('button', { name: 'Remove the sample' }).waitFor();
  },
  suppression: async () => {
    await goTo(page, 'Directory');
    await page.getByRole('link', { name: 'Suppressed' }).click();
    await page.getByRole('button', { name: 'Suppress' }).waitFor();
  },
  audit: async () => {
    await goTo(page, 'Settings');
    await page.getByRole('link', { name: 'Open the audit log' }).click();
    await page.getByText(/^All \d+ entries are intact\.$/).waitFor();
  },
  'person-data': async () => {
    await goTo(page, 'Directory');
    await page.getByRole('link', { name: 'Privacy requests' }).click();
    await page.getByRole('button', { name: 'Find' }).waitFor();
  },
  duplicates: async () => {
    await goTo(page, 'Directory');
    await page.getByRole('link', { name: 'Duplicates' }).click();
    await page.getByRole('button', { name: 'Search for duplicates' }).click();
    await page
      .getByRole('link', { name: /^Compare/ })
      .first()
      .waitFor();
  },
  compare: async () => {
    await goTo(page, 'Directory');
    await page.getByRole('link', { name: 'Duplicates' }).click();
    await page
      .getByRole('link', { name: /^Compare/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Compare', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Merge' }).waitFor();
  },
  services: async () => {
    await screens.providers?.();
    await page.getByRole('button', { name: 'Add a data service' }).click();
    await page.getByRole('list', { name: 'Data services' }).getByText('Hunter').waitFor();
  },
  findings: async () => {
    await screens.monitor?.();
    await page.getByRole('region', { name: 'Runs' }).getByRole('link').first().click();
    await page.getByRole('gridcell').first().waitFor();
  },
};

async function openConnections(tab: string): Promise<void> {
  await goTo(page, 'Connections');
  await openTab(page, tab);
}

async function unlockContacts(): Promise<void> {
  await screens.unlock?.();
  await page.getByRole('link', { name: 'Show emails and phones' }).click();
  await page.getByText('A spreadsheet', { exact: true }).click();
  await page.locator('main input[type=file]').first().setInputFiles(contacts);
  await page.getByRole('button', { name: /^Show 300 contacts/ }).click();
  await page.getByText(/contacts known, .* credits charged/).waitFor();
}

async function leave(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Pixels by which the screen exceeds its window. */
const measureOverflow = () =>
  page.evaluate(() => {
    const screen = document.getElementById('screen');
    return screen ? screen.scrollWidth - screen.clientWidth : Number.NaN;
  });

describe.each(shells)('in the %s', (shell) => {
  const takesPictures = shell === 'browser' && process.env.DESK_SCREENSHOTS === '1';
  const takePicture = async (name: string) => {
    // Those of narrow windows are not kept.
    const isKept = !/-\d+$/.test(name);
    if (takesPictures && isKept) await page.screenshot({ path: `${picturesDir}/${name}.png` });
  };
  beforeAll(async () => {
    desk = await openDesk(shell);
    page = desk.page;
    if (takesPictures) mkdirSync(picturesDir, { recursive: true });
  });
  afterAll(() => desk?.close());

  test.each(sidebarNames)('the empty screen %s is accessible', async (name) => {
    await screens[name]?.();
    await expect.poll(() => findViolations(page)).toEqual([]);
    if (name === 'enrich') await takePicture('welcome');
  });

  describe('with a directory and a finished job', () => {
    /** The window's titles by address. */
    const visited = new Map<string, string>();
    beforeAll(async () => {
      await loadSample(page);
      await page.getByText(sampleLoaded).waitFor({ state: 'detached' });
      await screens.flow?.();
      await page.getByRole('button', { name: /^Enrich 300/ }).click();
      await page.getByText(/of 300 rows enriched/).waitFor();
      await page.getByRole('link', { name: 'Monitor', exact: true }).click();
      await page.getByRole('button', { name: /^Create monitor/ }).click();
      await page.getByRole('region', { name: 'Runs' }).getByText('completed').waitFor();
      await unlockContacts();
    });

    test.each(Object.keys(screens))(
      'the screen %s is accessible and fits every window',
      async (name) => {
        await screens[name]?.();
        visited.set(new URL(page.url()).hash.slice(1), await page.title());
        await expectAccessibleAndResponsive(page, measureOverflow, (look) =>
          takePicture(`${name}-${look}`),
        );
        await leave();
      },
    );

    test('every screen of the table was visited under its title, or that of its record', () => {
      const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
      const wasSeen = ({ path, title }: (typeof table)[number]) =>
        [...visited].some(
          ([address, shown]) =>
            patternOf(path).test(address) &&
            (path.includes(':') || shown === `${title} · Enrichment Desk`),
        );
      const seen = new Set(table.filter(wasSeen).map(({ title }) => title));
      const unseen = table.filter(({ title }) => !seen.has(title));
      expect(unseen).toEqual([]);
      expect([...visited.values()].every((title) => / · Enrichment Desk$/.test(title))).toBe(true);
    });

    test('no screen logs an error', () => {
      expect(desk.complaints).toEqual([]);
    });
  });
});
