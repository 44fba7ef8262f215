import { MACHINE_RECORDS } from '../../../../src/privacy/detect/records/machine.js';
import { testExamples } from './record-examples.js';

testExamples('records of addresses, cards, wallets and secrets', MACHINE_RECORDS);
