import type { DetectorRecord, Match, Situation } from '../record.js';
import { passesBase58Check, RIPPLE_ALPHABET } from '../wallets/base58.js';
import { passesBech32 } from '../wallets/bech32.js';
import { HAS_DIGIT, HAS_LETTER, IS_FOREIGN } from '../words.js';

const NAMES = [
  ...[
    'wallet',
    'wallet address',
    'btc',
    'btc address',
    'bitcoin',
    'bitcoin address',
    'eth address',
    'ethereum address',
  ],
  ...[
    'crypto address',
    'payout address',
    'deposit address',
    'solana',
    'litecoin',
    'dogecoin',
    'monero',
    'ripple',
  ],
  ...[
    'ethereum',
    'cryptocurrency',
    'eth',
    'ltc',
    'xmr',
    'sol address',
    'tron',
    'trx',
    'usdt',
    'cardano',
    'zcash',
  ],
];

/** Addresses of wallets, by prefix, length and checksum; without a right checksum only where the context speaks of one. */
export const cryptoWallet: DetectorRecord = {
  type: 'CRYPTO_WALLET',
  source: 'base58check of Bitcoin, BIP 173, BIP 350, ERC-55; address formats of the other chains',
  trigger: { kind: 'word', has: HAS_DIGIT | HAS_LETTER, lacks: IS_FOREIGN, minLength: 25, maxLength: 128 },
  keys: NAMES,
  context: NAMES,
  match: matchWallet,
  examples: [
    {
      text: 'Send 0.25 BTC to 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy before',
      found: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    },
    {
      text: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      found: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    },
    {
      text: 'to 0x78BafCDf9E01AfFbD6FABe704acB0B5272F739c1.',
      found: '0x78BafCDf9E01AfFbD6FABe704acB0B5272F739c1',
    },
    { text: 'TRX TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', found: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
    {
      text: 'solana wallet 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
      found: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    },
    { text: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', found: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH' },
  ],
  counterExamples: [
    '0x2e42f09e020031d40ca6de91a421baea322ebce727b934899a95fe8431834273',
    'commit 873f5019351a55b43a3ac6089b0f4e56be6c8500',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdz',
    'sha256:d739959456ef9f55af6a59ee425f6acb06f3a55653e4c686e4127dad1b57a1b7',
  ],
};

function matchWallet(situation: Situation, word: number, at: number): Match | undefined {
  const { words } = situation;
  const { text } = words;
  const end = words.ends[word] as number;
  if (GLUED.includes(text.charAt(at - 1)) && at > 0) return undefined;
  const address = text.slice(at, end);
  const isSpokenOf = situation.keySays('CRYPTO_WALLET') || situation.contextSays('CRYPTO_WALLET', word);
  const score = scoreOf(address, isSpokenOf);
  return score === 0 ? undefined : { start: at, end, score };
}

function scoreOf(address: string, isSpokenOf: boolean): number {
  if (ETHEREUM.test(address)) return 92;
  if (BASE58.test(address) && passesBase58Check(address)) return 94;
  if (RIPPLE.test(address) && passesBase58Check(address, RIPPLE_ALPHABET)) return 94;
  if (BECH32.test(address) && passesBech32(address)) return 94;
  if (!isSpokenOf) return 0;
  return UNCHECKED.test(address) ? 80 : 0;
}

const GLUED = '/+=_-';
const ETHEREUM = /^0x[\dA-Fa-f]{40}$/;
/** Bitcoin, Litecoin, Dogecoin, Dash, Zcash, Tron. */
const BASE58 = /^(?:[13LMDAX79T][1-9A-HJ-NP-Za-km-z]{24,34}|t[13][1-9A-HJ-NP-Za-km-z]{33})$/;
const RIPPLE = /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/;
const BECH32 =
  /^(?:bc|tb|ltc|addr|stake|cosmos|osmo|terra|bnb|bech|juno|celestia|inj|sei|BC|TB|LTC)1[\dA-Za-z]{20,110}$/;
/** The same without a look at the checksum, and chains without one: Solana, Monero, Stellar, Polkadot. */
const UNCHECKED =
  /^(?:[13LMDAXT][1-9A-HJ-NP-Za-km-z]{24,34}|(?:bc|ltc|addr|tb)1[\dA-Za-z]{20,110}|[1-9A-HJ-NP-Za-km-z]{43,48}|[48][1-9A-HJ-NP-Za-km-z]{94}|G[A-Z2-7]{55}|r[1-9A-HJ-NP-Za-km-z]{24,34})$/;
