// Draws the icons of the installers from resources/icons/icon.svg, and the one in the menu bar of
// macOS from tray.svg. Run it after a change of these files: `node scripts/make/draw-icons.mjs`.
// electron-builder would download a tool for it.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumFlags, findChromium } from '../chromium.mjs';

const root = dirname(dirname(import.meta.dirname));
const folder = join(import.meta.dirname, 'icons');
const sizes = [16, 32, 48, 64, 128, 256, 512, 1024];
/** The types of an .icns entry, by the pixels of its PNG. */
const macTypes = { 16: 'icp4', 32: 'ic11', 64: 'ic12', 128: 'ic07', 256: 'ic08', 512: 'ic09' };

/** Draws a file of resources/icons as PNG files, by their side in pixels. */
async function draw(file, sizes) {
  const svg = readFileSync(join(root, 'resources/icons', file)).toString('base64');
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
  const drawn = new Map();
  for (const size of sizes) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const style = `display:block;width:${size}px;height:${size}px`;
    await page.setContent(
      `<body style="margin:0"><img style="${style}" src="data:image/svg+xml;base64,${svg}">`,
    );
    drawn.set(size, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return drawn;
}

/** An .ico of PNG files, of at most 256 pixels. */
function writeIco(drawn) {
  const images = [...drawn].filter(([size]) => size <= 256);
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [at, [size, png]] of images.entries()) {
    const entry = 6 + 16 * at;
    // 0 means 256.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...images.map(([, png]) => png)]);
}

/** An .icns of PNG files. */
function writeIcns(drawn) {
  const entries = [...Object.entries(macTypes), ['1024', 'ic10']].map(([size, type]) => {
    const png = drawn.get(Number(size));
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(png.length + 8, 4);
    return Buffer.concat([head, png]);
  });
  const whole = Buffer.concat(entries);
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(whole.length + 8, 4);
  return Buffer.concat([head, whole]);
}

const drawn = await draw('icon.svg', sizes);
writeFileSync(join(folder, 'icon.ico'), writeIco(drawn));
writeFileSync(join(folder, 'icon.icns'), writeIcns(drawn));
// The end of the name makes it a template; macOS takes the larger one on sharp screens.
const tray = await draw('tray.svg', [18, 36]);
writeFileSync(join(root, 'resources/icons/trayTemplate.png'), tray.get(18));
writeFileSync(join(root, 'resources/icons/trayTemplate@2x.png'), tray.get(36));
