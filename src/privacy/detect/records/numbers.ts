import type { DetectorRecord } from '../record.js';
import { bankAccount } from './bank-account.js';
import { bankBranch } from './bank-account-branch.js';
import { clabe } from './bank-account-clabe.js';
import { dateOfBirth } from './date-of-birth.js';
import { driverLicense } from './driver-license.js';
import { driverLicenseGb } from './driver-license-gb.js';
import { medicalId } from './medical-id.js';
import { medicareId } from './medical-id-medicare.js';
import { nationalId } from './national-id.js';
import { nationalIdBe } from './national-id-be.js';
import { nationalIdBr } from './national-id-br.js';
import { nationalIdCh } from './national-id-ch.js';
import { nationalIdChecked } from './national-id-checked.js';
import { nationalIdCn } from './national-id-cn.js';
import { nationalIdDe } from './national-id-de.js';
import { nationalIdEs } from './national-id-es.js';
import { nationalIdFi } from './national-id-fi.js';
import { nationalIdFr } from './national-id-fr.js';
import { nationalIdGb } from './national-id-gb.js';
import { nationalIdIn } from './national-id-in.js';
import { nationalIdIt } from './national-id-it.js';
import { nationalIdKr } from './national-id-kr.js';
import { nationalIdMx } from './national-id-mx.js';
import { nationalIdSe } from './national-id-se.js';
import { nationalIdSg } from './national-id-sg.js';
import { nationalIdSouthAmerica } from './national-id-south-america.js';
import { nationalIdUs } from './national-id-us.js';
import { passport } from './passport.js';
import { passportMrz } from './passport-mrz.js';
import { phoneInternational } from './phone-international.js';
import { phoneLabelled } from './phone-labelled.js';
import { phoneNational } from './phone-national.js';
import { phoneNorthAmerica } from './phone-north-america.js';
import { routingNumber } from './routing-number.js';
import { ssn } from './ssn.js';

/** Telephone numbers, numbers of persons, accounts, documents and patients, and dates of birth. */
export const NUMBER_RECORDS: readonly DetectorRecord[] = [
  bankBranch,
  clabe,
  bankAccount,
  dateOfBirth,
  driverLicenseGb,
  driverLicense,
  medicareId,
  medicalId,
  nationalIdBe,
  nationalIdBr,
  nationalIdCh,
  nationalIdChecked,
  nationalIdCn,
  nationalIdDe,
  nationalIdEs,
  nationalIdFi,
  nationalIdFr,
  nationalIdGb,
  nationalIdIn,
  nationalIdIt,
  nationalIdKr,
  nationalIdMx,
  nationalIdSe,
  nationalIdSg,
  nationalIdSouthAmerica,
  nationalIdUs,
  nationalId,
  passport,
  passportMrz,
  phoneInternational,
  phoneLabelled,
  phoneNational,
  phoneNorthAmerica,
  routingNumber,
  ssn,
];
