// How installers are signed, by the environment variables alone.

/** Variables of Azure Trusted Signing: four for the signer, and those of its account. */
const azureSigner = {
  endpoint: 'DESK_AZURE_ENDPOINT',
  codeSigningAccountName: 'DESK_AZURE_ACCOUNT',
  certificateProfileName: 'DESK_AZURE_PROFILE',
  publisherName: 'DESK_AZURE_PUBLISHER',
};
const azureNames = [
  ...Object.values(azureSigner),
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
];
const notaryNames = ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'];

const isSet = (env, name) => (env[name] ?? '') !== '';

/** True if all are set, false if none is. Throws with the missing ones otherwise. */
function requireAllOrNone(env, names, purpose) {
  const missing = names.filter((name) => !isSet(env, name));
  if (missing.length === names.length) return false;
  if (missing.length > 0) throw new Error(`${purpose} also needs ${missing.join(', ')}.`);
  return true;
}

function signWindows(env) {
  const hasFile = isSet(env, 'WIN_CSC_LINK') || isSet(env, 'CSC_LINK');
  const hasAzure = requireAllOrNone(env, azureNames, 'Azure Trusted Signing');
  if (hasFile && hasAzure)
    throw new Error('A certificate file and Azure Trusted Signing are both set. Keep one of them.');
  if (hasAzure) {
    const entries = Object.entries(azureSigner).map(([option, name]) => [option, env[name]]);
    const azureSignOptions = Object.fromEntries(entries);
    return { config: { forceCodeSigning: true, win: { azureSignOptions } }, warnings: [] };
  }
  if (hasFile) return { config: { forceCodeSigning: true }, warnings: [] };
  return {
    config: {},
    warnings: [
      'The installer is NOT SIGNED: Windows warns everyone who starts it. Set WIN_CSC_LINK, or ' +
        'the variables of Azure Trusted Signing.',
    ],
  };
}

function signMac(env) {
  const isNotarized = requireAllOrNone(env, notaryNames, 'Notarisation');
  if (isSet(env, 'CSC_LINK') || isSet(env, 'CSC_NAME')) {
    const config = { forceCodeSigning: true, mac: { notarize: isNotarized } };
    const names = notaryNames.join(', ');
    const warning = `The app is NOT NOTARISED: macOS refuses to open it. Set ${names}.`;
    return { config, warnings: isNotarized ? [] : [warning] };
  }
  if (isNotarized) throw new Error('Notarisation also needs CSC_LINK or CSC_NAME.');
  return {
    // Programs without any signature do not start on Apple silicon. A signature without a team
    // cannot validate libraries, which the hardened runtime does.
    config: { mac: { identity: '-', hardenedRuntime: false, notarize: false } },
    warnings: [
      'The app is NOT SIGNED: macOS refuses to open it on other machines. Set CSC_LINK and ' +
        `CSC_KEY_PASSWORD to sign it, and ${notaryNames.join(', ')} to notarise it.`,
    ],
  };
}

/**
 * The part of electron-builder's configuration that signs, and the warnings to show.
 * @param {string} platform as in process.platform
 * @param {Record<string, string | undefined>} env
 */
export function chooseSigning(platform, env) {
  if (platform === 'win32') return signWindows(env);
  if (platform === 'darwin') return signMac(env);
  // Packages of Linux are verified by the checksums of the release.
  return { config: {}, warnings: [] };
}
