// Makes calls of the keychain, one after the other, and prints their results with what the keychain
// then has under the name of the product.
import { findCredentialsAsync } from '@napi-rs/keyring';
import { callKeychain, type KeychainQuestion } from '../../engine/secrets/keychain.ts';

const questions = JSON.parse(process.argv[2] ?? '[]') as KeychainQuestion[];
const results: (string | null)[] = [];
for (const question of questions) results.push(await callKeychain(question));
const found = await findCredentialsAsync('Enrichment Desk');
const entries = found.map(({ account, password }) => `${account} = ${password}`).sort();
console.log(JSON.stringify({ results, entries }));
