// Writes rules in the formats that device management systems import.
import { preferencesPath, registryKey } from './rule-places.ts';

/** JSON on one line of ASCII: reg.exe prints other characters in the code page of the console. */
const toAscii = (value: object): string =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A file that the Registry Editor and group policies import: `reg import FILE`. */
export function writeRegistryFile(config: object): string {
  const quoted = toAscii(config).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const key = registryKey.replace(/^HKLM/, 'HKEY_LOCAL_MACHINE');
  const lines = [
    'Windows Registry Editor Version 5.00',
    '',
    `[${key}]`,
    `"Policy"="${quoted}"`,
    '',
  ];
  return lines.join('\r\n');
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A property list for the managed preferences of macOS, as device management systems take it. */
export function writePropertyList(config: object): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" ' +
      '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    '  <key>Policy</key>',
    `  <string>${escapeXml(toAscii(config))}</string>`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

/** The name of the property list: its preference domain. */
export const propertyListName = (): string => preferencesPath().split('/').at(-1) ?? '';
