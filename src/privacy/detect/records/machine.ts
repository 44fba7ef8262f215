import type { DetectorRecord } from '../record.js';
import { creditCard } from './credit-card.js';
import { cryptoWallet } from './crypto-wallet.js';
import { email } from './email.js';
import { emailSpelled } from './email-spelled.js';
import { iban } from './iban.js';
import { ipV4 } from './ip-v4.js';
import { ipV6 } from './ip-v6.js';
import { mac, macPlain } from './mac.js';
import { secretBesideAddress } from './secret-beside-address.js';
import { secretKeyBlock } from './secret-key-block.js';
import { secretSpoken } from './secret-spoken.js';
import { secretValue } from './secret-value.js';
import { secretVendor } from './secret-vendor.js';
import { urlCredentials } from './url-credentials.js';
import { username } from './username.js';

/** What machines give out and check themselves: addresses, cards, accounts, keys. */
export const MACHINE_RECORDS: readonly DetectorRecord[] = [
  email,
  emailSpelled,
  ipV4,
  ipV6,
  mac,
  macPlain,
  urlCredentials,
  creditCard,
  iban,
  cryptoWallet,
  username,
  secretVendor,
  secretKeyBlock,
  secretValue,
  secretSpoken,
  secretBesideAddress,
];
