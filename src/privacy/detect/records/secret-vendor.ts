import type { DetectorRecord, Match, Situation } from '../record.js';
import { HAS_LETTER, hashOfWord } from '../words.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Keys and tokens that their makers gave a prefix. */
export const secretVendor: DetectorRecord = {
  type: 'SECRET',
  source: 'token formats as each vendor documents them',
  trigger: { kind: 'word', has: HAS_LETTER, lacks: 0, minLength: 2 },
  match: matchPrefix,
  examples: [
    { text: 'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE', found: 'AKIAIOSFODNN7EXAMPLE' },
    {
      text: 'token ghp_MPVBGxBXMTWSvpa4NjIUNzSkhJwaxPXvN2gW rejected',
      found: 'ghp_MPVBGxBXMTWSvpa4NjIUNzSkhJwaxPXvN2gW',
    },
    {
      text: 'key AIzaFGoO4jEMRXxNCVilHwo4-wGyaGFGbG6jnT1.',
      found: 'AIzaFGoO4jEMRXxNCVilHwo4-wGyaGFGbG6jnT1',
    },
    {
      text: 'xoxb-614678941126-917352600516-9ZBx4r7j4CXu',
      found: 'xoxb-614678941126-917352600516-9ZBx4r7j4CXu',
    },
    { text: 'sk_live_MrSHXCl3zrFVTTqayV9smDy0', found: 'sk_live_MrSHXCl3zrFVTTqayV9smDy0' },
    { text: 'glpat-AbCdEfGhIjKlMnOpQrSt', found: 'glpat-AbCdEfGhIjKlMnOpQrSt' },
    {
      text: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.bpFf99kD37Rf6-D7YC2m',
      found: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.bpFf99kD37Rf6-D7YC2m',
    },
    {
      text: 'https://hooks.slack.com/services/T00000001/B00000001/abcdefghijklmnopqrstuvwx',
      found: 'hooks.slack.com/services/T00000001/B00000001/abcdefghijklmnopqrstuvwx',
    },
  ],
  counterExamples: [
    'AKIA is the prefix of a long-term access key id',
    'sk-learn and sk_live_ are words',
    'the ghp_ prefix',
    'eyJ is how JSON begins in base64',
    'task-based hf_hub and npm_config_registry',
    'SG.name.space',
  ],
};

interface Rule {
  readonly prefix: string;
  /** What follows the prefix, anchored. */
  readonly rest: RegExp;
}

function matchPrefix({ words }: Situation, word: number, at: number): Match | undefined {
  // The first word of a prefix with a joint in it is known by its hash; a prefix without one makes a long word.
  const isShort = (words.ends[word] as number) - at < SHORTEST_GLUED;
  if (isShort && FIRST_WORDS[(words.hashes[word] as number) & 4095] === 0) return undefined;
  const { text } = words;
  const first = unitAt.call(text, at);
  const second = unitAt.call(text, at + 1);
  if (first > 127 || second > 127 || STARTS[first * 128 + second] === 0) return undefined;
  for (const { prefix, rest } of RULES.get(first * 128 + second) ?? []) {
    if (!text.startsWith(prefix, at)) continue;
    const from = at + prefix.length;
    const found = rest.exec(text.slice(from, from + LONGEST));
    if (found) return { start: at, end: from + found[0].length, score: 96 };
  }
  return undefined;
}

const LONGEST = 4096;
/** The shortest key whose prefix has no joint. */
const SHORTEST_GLUED = 16;
const FIRST_WORDS = new Uint8Array(4096);
const STARTS = new Uint8Array(128 * 128);
const RULES = new Map<number, Rule[]>();

/** Behind the last character stands nothing that could go on. */
const END = '(?![A-Za-z0-9])';
const table: readonly (readonly [prefixes: string, rest: string])[] = [
  // OpenAI, Anthropic, OpenRouter, DeepSeek and others that took the same prefix; a digit or a capital must be there
  ['sk-proj- sk-svcacct- sk-admin- sk-ant- sk-or- sk-lf-', '[A-Za-z0-9_-]{16,250}'],
  ['sk-', '(?=[A-Za-z0-9_-]{0,60}\\d)[A-Za-z0-9_]{20,100}'],
  // GitHub, GitLab
  ['ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{20,255}'],
  ['github_pat_', '[A-Za-z0-9_]{22,255}'],
  ['glpat- gldt- glrt- glsoat- glcbt- glptt- glft- glimt- glagent-', '[A-Za-z0-9_.-]{20,100}'],
  ['glc_ glsa_', '[A-Za-z0-9+/=_]{20,400}'],
  // Slack
  ['xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xapp-', '[A-Za-z0-9-.%]{10,300}'],
  ['hooks.slack.com/', '(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{20,200}'],
  // Amazon, Google, Microsoft, Alibaba, Tencent
  ['AKIA ASIA AGPA AROA AIPA ANPA ANVA ABIA ACCA', `[A-Z0-9]{16,17}${END}`],
  ['AIza', '[A-Za-z0-9_-]{32,40}'],
  ['ya29.', '[A-Za-z0-9_.-]{20,500}'],
  ['GOCSPX-', '[A-Za-z0-9_-]{20,40}'],
  ['1//0', '[A-Za-z0-9_-]{30,200}'],
  ['LTAI', `[A-Za-z0-9]{12,26}${END}`],
  ['AKID', `[A-Za-z0-9]{28,36}${END}`],
  // Payment
  ['sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ whsec_ sk_prod_', '[A-Za-z0-9+/=]{10,250}'],
  ['sq0atp- sq0csp- sq0idp-', '[A-Za-z0-9_-]{20,60}'],
  ['EAAA EAAC EAAB EAAG EAAD', `[A-Za-z0-9]{40,300}`],
  ['access_token$production$ access_token$sandbox$', '[a-z0-9]{8,40}\\$[a-f0-9]{16,40}'],
  ['rzp_live_ rzp_test_', '[A-Za-z0-9]{10,40}'],
  ['shpat_ shpca_ shppa_ shpss_ shptka_', '[A-Za-z0-9]{20,64}'],
  // Packages, builds, hosting
  ['npm_', '(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{30,60}'],
  ['pypi-', '[A-Za-z0-9_-]{30,400}'],
  ['rubygems_', '[a-f0-9]{40,60}'],
  ['dckr_pat_ dckr_oat_', '[A-Za-z0-9_-]{20,60}'],
  ['oy2', `[a-z0-9]{43}${END}`],
  ['dop_v1_ doo_v1_ dor_v1_', '[a-f0-9]{40,80}'],
  ['hvs. hvb. hvr.', '[A-Za-z0-9_-]{20,300}'],
  ['s.', `(?=[A-Za-z]{0,23}\\d)[A-Za-z0-9]{24}${END}`],
  ['pul-', '[a-f0-9]{40}'],
  ['dp.pt. dp.st. dp.sa. dp.ct. dp.scim.', '[A-Za-z0-9._-]{20,80}'],
  ['FlyV1 fm1r_ fm2_ fo1_', '[A-Za-z0-9+/=_,. -]{20,700}'],
  ['rnd_ rndr_', '[A-Za-z0-9]{20,60}'],
  ['nfp_ nfc_ nfo_ nfu_', '[A-Za-z0-9_]{30,60}'],
  ['vercel_ vcp_ vci_ vca_ vcr_ vck_', '(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9_]{20,80}'],
  ['cfut_ cfat_ cfk_', '[A-Za-z0-9_-]{30,80}'],
  ['v1.0-', '[a-f0-9]{20,30}-[a-f0-9]{100,160}'],
  ['bkua_ bkpt_ CCIPAT_ CCIPRJ_', '[A-Za-z0-9_]{20,80}'],
  ['sbp_ sb_secret_ sb_publishable_', '[A-Za-z0-9_]{20,60}'],
  ['PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'],
  // Mail, messages, observation, data
  ['SG.', '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}'],
  ['xkeysib- xsmtpsib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  ['key-', `[a-f0-9]{32}${END}`],
  ['re_', '(?=[A-Za-z_]{0,30}\\d)[A-Za-z0-9]{8,16}_[A-Za-z0-9]{16,32}'],
  ['SK AC', `[a-f0-9]{32}${END}`],
  ['NRAK- NRJS- NRII- NRRA- NRIQ-', '[A-Za-z0-9_-]{16,60}'],
  ['sntrys_ sntryu_', '[A-Za-z0-9+/=_]{30,300}'],
  ['ddp_ ddapp_', '[A-Za-z0-9]{20,60}'],
  ['phc_ phx_', '[A-Za-z0-9]{30,60}'],
  ['dapi dose dkea', `[a-f0-9]{32}(?:-\\d)?${END}`],
  ['pat-na1- pat-eu1-', '[a-f0-9-]{36}'],
  ['lin_api_ lin_oauth_', '[A-Za-z0-9]{30,80}'],
  ['secret_ ntn_', '(?=[A-Za-z]{0,42}\\d)[A-Za-z0-9]{40,60}'],
  ['figd_', '[A-Za-z0-9_-]{30,60}'],
  ['ATATT3 ATCTT3 ATBB ATSTT3', '[A-Za-z0-9_=.-]{20,300}'],
  ['pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_.-]{30,80}'],
  ['LSPAT- mlsn.', '[A-Za-z0-9]{30,80}'],
  ['AGE-SECRET-KEY-1', '[0-9A-Z]{40,80}'],
  // Models
  ['hf_', '(?=[A-Za-z]{0,40}\\d|[a-z]{0,40}[A-Z])[A-Za-z0-9]{20,60}'],
  ['api_org_', '[A-Za-z]{34}'],
  [
    'gsk_ r8_ xai- pplx- nvapi- tgp_v1_ fw_ csk- jina_ voy- pa- lsv2_pt_ lsv2_sk_ pcsk_ tvly-',
    '(?=[A-Za-z_-]{0,40}\\d)[A-Za-z0-9_-]{24,200}',
  ],
  // Bots, signed tokens
  ['eyJ', '[A-Za-z0-9_=-]{8,3000}\\.[A-Za-z0-9_=-]{8,3000}(?:\\.[A-Za-z0-9_=+/-]{0,1000}){0,3}'],
  ['discord.com/api/webhooks/ discordapp.com/api/webhooks/', '\\d{16,20}/[A-Za-z0-9_-]{40,100}'],
  ['AAAA', '[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{120,180}'],
  ['EZAK EZTK', `[A-Za-z0-9]{54}${END}`],
  ['tfp_ ops_ exp_', '(?=[A-Za-z_]{0,40}\\d)[A-Za-z0-9_=-]{30,400}'],
  ['T3BlbkFJ', '[A-Za-z0-9]{16,60}'],
];
for (const [prefixes, rest] of table)
  for (const prefix of prefixes.split(' ')) {
    const start = unitAt.call(prefix, 0) * 128 + unitAt.call(prefix, 1);
    const rules = RULES.get(start) ?? [];
    rules.push({ prefix, rest: new RegExp(`^${rest}`) });
    RULES.set(start, rules);
    STARTS[start] = 1;
    FIRST_WORDS[hashOfWord(/^[A-Za-z0-9]+/.exec(prefix)?.[0] ?? prefix) & 4095] = 1;
  }
