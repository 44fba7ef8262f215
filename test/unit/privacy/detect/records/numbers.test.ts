import { NUMBER_RECORDS } from '../../../../../src/privacy/detect/records/numbers.js';
import { testExamples } from '../record-examples.js';

testExamples('number-like records', NUMBER_RECORDS);
