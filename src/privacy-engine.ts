import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { auditLog } from './audit-log.js';
import type { Config } from './config/config.js';
import { CodeExecutionError } from './core/errors.js';
import type { Logger } from './core/logger.js';
import { detectedTypes, type PiiType } from './core/pii.js';
import { readPackageData } from './fs/package-data.js';
import { allowedValues } from './privacy/allowed-values.js';
import { CallPrivacy, type RestoreRecord } from './privacy/call-privacy.js';
import { createDetector } from './privacy/detect/create-detector.js';
import type { Detector } from './privacy/detect/detector.js';
import { createNameFinder } from './privacy/detect/names/create-name-finder.js';
import { NameList } from './privacy/detect/names/name-list.js';
import { MACHINE_RECORDS } from './privacy/detect/records/machine.js';
import { NUMBER_RECORDS } from './privacy/detect/records/numbers.js';
import { EgressFilter } from './privacy/egress/egress-filter.js';
import { withOwnPatterns } from './privacy/own-patterns.js';
import { personModelOf, withPersonModel } from './privacy/person-model.js';
import { PrivacyGuard } from './privacy/privacy-guard.js';
import { PrincipalVaults } from './privacy/vault/principal-vaults.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Everything about personal data: what the server tools, the runs and the command line need of it. */
export interface PrivacyEngine {
  readonly guard: PrivacyGuard;
  readonly calls: CallPrivacy;
  readonly vaults: PrincipalVaults;
  close(): Promise<void>;
}

/** Joins detectors, vaults, filter and policy. @throws CodeExecutionError `config_error` for a pattern that is none. */
export async function createPrivacy(config: Config, logger: Logger): Promise<PrivacyEngine | undefined> {
  const { mode, detect, restore, patterns, personModel, keep, keepDays, maxValues } = config.privacy;
  if (mode === 'off') return undefined;
  const names = createNameFinder(new NameList(await readPackageData('names.bin')));
  const records = [...MACHINE_RECORDS, ...NUMBER_RECORDS];
  const detector = withOwnPatterns(
    await withModel(createDetector({ records, names }), personModel),
    patterns,
  );
  const vaults = new PrincipalVaults({
    folder: path.join(config.dataDir, 'vault'),
    keyFolder: path.join(config.dataDir, 'keys'),
    keep,
    ttlMs: keepDays * DAY_MS,
    maxValues,
    logger,
  });
  const audit = auditLog(config.dataDir, 'privacy', logger);
  const counters = { restored: 0, refused: 0 };
  const record = (line: RestoreRecord) => {
    if (line.outcome === 'restored') counters.restored++;
    else counters.refused++;
    audit.add({ time: new Date().toISOString(), ...line });
  };
  const types = detectedTypes(detect);
  const isAllowed = allowedValues(config.privacy);
  const egress = new EgressFilter({ detector, vaults, types, isAllowed });
  const servers = new Map(config.servers.map((server) => [server.name, server.privacy]));
  const ownTypes = new Map<string, ReadonlySet<PiiType>>();
  for (const [name, { detect: words }] of servers) if (words) ownTypes.set(name, detectedTypes(words));
  const calls = new CallPrivacy({
    mode,
    types,
    typesOf: (server) => ownTypes.get(server),
    rulesOf: (server) => servers.get(server),
    detector,
    vaults,
    beginRun: (principal) => egress.beginRun(principal),
    isAllowed,
    record,
  });
  const guard = new PrivacyGuard({
    mode,
    restore,
    types,
    detector,
    vaults,
    egress,
    isAllowed,
    record,
    counters,
  });
  return {
    guard,
    calls,
    vaults,
    async close() {
      await vaults[Symbol.asyncDispose]();
      await audit.flush();
    },
  };
}

/** The operator's own module, named in his configuration, which no untrusted project can do. */
async function withModel(detector: Detector, file: string | undefined): Promise<Detector> {
  if (file === undefined) return detector;
  let module: unknown;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (cause) {
    throw new CodeExecutionError(
      'config_error',
      `privacy.personModel: ${file} cannot be loaded`,
      'look at the log',
      { cause },
    );
  }
  return withPersonModel(detector, personModelOf(module, file));
}
