import { phraseList } from './labels.js';

/** What people and columns call numbers of persons and taxpayers. Words that mean something else are left out. */
export const NATIONAL_ID_NAMES: readonly string[] = phraseList(`
  state id, green card, uscis, alien registration number, alien registration, visa number, residence permit,
  aufenthaltstitel, titre de séjour, permesso di soggiorno, national id, national identity, national identification, national id number, nationalid, id card,
  identity card, identity number, identity document, id document number, personal id, id card number,
  personal identity code, personal identity number, personal number, citizen id, government id,
  resident number, resident registration, permanent resident, refugee id, resident id, rsa id,
  south african id, thai id, thai national id, turkish id, finnish id, swedish id, swedish id code,
  finnish id code, korean id, chinese id, tax id, tax ids, taxid, tax identification, tax number,
  taxpayer id, taxpayer identification, tax payer id, tax reference, tax file, tax file number, tax no,
  tin, atin, itin, fein, employer identification, federal tax id, vat id, vat number, eu vat, gb vat,
  us ein, br cpf, gstin, vat no, vatin, tfn, utr, unique taxpayer reference, nino, national insurance,
  ni number, ni no, national insurance number, pps number, ppsn, ird number, social insurance,
  social insurance number, sin, nas, numéro d'assurance sociale, voter, voter id, epic number, nrc number,
  emirates id, aadhaar, aadhar, adhaar, aadhaar number, uidai, pan, pan card, pan number, nin, tnin, bvn,
  cnic, nric, hkid, mykad, nik, ktp, npwp, cccd, citizen identity, personalausweis, personalausweisnummer,
  ausweis, ausweisnummer, ausweis nr, steuer id, steuerid, steuer identifikationsnummer,
  steueridentifikationsnummer, steuernummer, steuernr, steuer nr, idnr, id nr, sozialversicherungsnummer,
  sozialversicherung, svnr, sv nummer, rentenversicherungsnummer, rvnr, rentenversicherung, ahv,
  ahv nummer, ahv nr, avs, avs nummer, oasi, ust id, ust idnr, uid nummer, bsn, burgerservicenummer,
  sofinummer, rijksregisternummer, identiteitskaart, identiteitskaartnummer, insee, nir,
  numéro de sécurité sociale, sécurité sociale, numero de securite sociale, num secu, nss,
  carte d'identité, carte nationale d'identité, cni, numéro fiscal, spi, numéro national, nif, numéro avs,
  registre national, numéro de registre national, dni, nie, documento de identidad,
  documento nacional de identidad, número de identificación, identificación de extranjero,
  número de identidad, cédula, cedula, cédula de ciudadanía, cuit, cuil, curp, rfc, rut,
  número de seguridad social, seguridad social, nit, dui, clave única, ruc, cpf, cpf cnpj, cnpj, rg,
  cartão de cidadão, bilhete de identidade, número de contribuinte, contribuinte, niss,
  número de identificação fiscal, título de eleitor, pis, pis pasep, nis, codice fiscale, cod fisc,
  partita iva, p iva, carta d'identità, carta d'identita, hetu, henkilötunnus, henkilötunnukseni,
  personnummer, personnumret, pnr, samordningsnummer, fødselsnummer, cpr, cpr nummer, cpr nr, kennitala,
  isikukood, asmens kodas, personas kods, pesel, nip, dowód osobisty, nr dowodu, rodné číslo, rodne cislo,
  cnp, egn, егн, oib, jmbg, afm, αφμ, amka, αμκα, инн, снилс, adóazonosító, személyi szám, taj szám, emšo,
  tckn, tc kimlik, tc kimlik no, kimlik, kimlik no, kimlik numarası, tckn numarası, teudat zehut,
  תעודת זהות, rrn, 주민등록번호, 주민번호, 외국인등록번호, my number, individual number, マイナンバー, 個人番号, 身份证, 身份证号, 身份证号码,
  身分證, 身分證字號, เลขบัตรประชาชน, เลขประจำตัวประชาชน, บัตรประชาชน
`);

/** As keys some mean an identifier of a table, and some need no other word. */
export const NATIONAL_ID_KEYS: readonly string[] = [
  ...NATIONAL_ID_NAMES.filter((name) => name !== 'state id' && name !== 'spi' && name !== 'personal number'),
  ...phraseList('id number, id no, identification number, identification no'),
];
