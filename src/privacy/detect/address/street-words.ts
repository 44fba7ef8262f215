import { WordTable } from '../names/word-table.js';

/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Behind the name of a street, before or behind which the number stands: `12 Oak Street`. */
export const STREET_BEHIND = 1;
/** Such a word that is used of other things as often: `Way`, `Place`. */
export const IS_VAGUE = 2;
/** Before the name: `12 rue Hugo`, `ul. Nowa 3`. */
export const STREET_BEFORE = 4;
/** Behind the name and before the number: `Hegedus utca 76`. */
export const STREET_THEN_NUMBER = 8;
/** A part of a building, before its number: `Apt. 5`. */
export const UNIT = 16;
export const DIRECTION = 32;
/** A box at the post office: `PO Box 5`, `Postfach 12`. */
export const BOX = 64;
/** The next line or field of a record, no part of an address. */
export const OTHER_FIELD = 128;
/** Between the words of a street or a town, in small letters. */
export const BETWEEN = 256;
/** `12 bis rue Hugo`. */
export const NUMBER_SUFFIX = 512;
/** Mail to soldiers: `APO AE 12345`. */
export const MILITARY = 1024;
/** Before an address: `lives at`, `address is`. */
export const LEADS_TO_ADDRESS = 2048;

export const STREET_WORDS = new WordTable([
  [
    STREET_BEHIND,
    'street st road rd avenue ave av lane ln drive dr boulevard blvd court ct terrace ter crescent cres highway hwy ' +
      'parkway pkwy mews bypass turnpike expressway freeway causeway crossroad crossroads crossing wharf quay alley ' +
      'walk grove parade esplanade turnpike',
  ],
  [
    STREET_BEHIND | IS_VAGUE,
    'way place pl square sq close trail gardens gdns hill row circle cir loop green rise view point path pike estate ' +
      'plaza ridge run pass bend meadow meadows park fields common cove hollow junction route mall mill mount brook ' +
      'station stravenue throughway trace trafficway spur ville vista wells island islands isle knoll knolls land ' +
      'landing light locks lodge manor motorway neck orchard oval overpass plain plains port prairie ramp ranch rapid ' +
      'rest river road shoal shoals shore shores skyway spring springs square squares stream summit track tunnel ' +
      'union valley viaduct village walks wall well key keys harbor haven heights forest ferry falls extension',
  ],
  [
    STREET_BEFORE,
    'rue avenue av boulevard bd bld place quai impasse allee chemin route cours passage sentier faubourg calle avenida ' +
      'avda paseo plaza pza camino carretera ctra ronda travesia glorieta via viale piazza corso largo vicolo strada ' +
      'rua travessa praca alameda estrada rodovia ul ulica aleja plac pl osiedle bulevardul ulice carrer jalan jl ' +
      'c cra carrera cl diagonal transversal leoforos odos',
  ],
  [
    STREET_THEN_NUMBER,
    'utca u ut ter tere korut rkp rakpart setany strasse str weg platz allee gasse ring ufer damm steig straat laan ' +
      'plein kade gracht singel vej gade alle gata gatan vag vagen tie katu kuja polku sokak sok cad caddesi bulvar ' +
      'ulice namesti trida cesta trg street avenue road lane court drive boulevard',
  ],
  [
    UNIT,
    'apt apartment suite ste unit flat floor fl room rm appt appartement bat batiment piso puerta wohnung whg top etage ' +
      'stiege interno scala lok lokal mieszkanie byt dpto departamento depto escalera esc planta apto bloco sala ' +
      'building bldg block tower hus',
  ],
  [DIRECTION, 'n s e w ne nw se sw north south east west northeast northwest southeast southwest'],
  [BOX, 'box pobox postfach postbus postboks apartado casilla postilokero skrytka'],
  [
    OTHER_FIELD,
    'phone tel telephone mobile cell fax email mail web website url www date name contact office dob ssn from to ' +
      'subject telefon handy telefono movil correo courriel portable bureau order invoice customer please thanks regards',
  ],
  [
    BETWEEN,
    'of de la le du des da do dos das del della di d l van den der am an im zur zum bei sur sous en les y e und and upon the von',
  ],
  [NUMBER_SUFFIX, 'bis ter quater a b c d'],
  [MILITARY, 'apo fpo dpo'],
  [
    LEADS_TO_ADDRESS,
    'lives live living lived resides residing located address addresses ship shipped deliver delivered delivery send sent ' +
      'meet moved wohnt wohnhaft adresse anschrift domicilie habite vive domicilio reside direccion taxi',
  ],
]);

/** Ends of words that are a street by themselves, in plain letters, with the fewest letters of such a word. */
const SUFFIXES =
  /(?:stra(?:ss|ß)e|str|weg|gasse|platz|allee|ufer|damm|steig|stieg|graben|chaussee|promenade|straat|laan|plein|gracht|kade|singel|dreef|dijk|steeg|vej|gade|gata|gatan|vagen|...grand|stigen|veien|vegen|gaten|katu|kuja|polku|...tie|utca|vegur|straeti|utja)$/;
const SHORTEST = 6;

/** True for `Bahnhofstraße`, `Keizersgracht`, `Hammarvägen`. */
export function isStreetByEnding(text: string, start: number, end: number): boolean {
  if (end - start < SHORTEST || end - start > LONGEST || !mayEndAsStreet(text, end)) return false;
  const plain = text.slice(start, end).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return SUFFIXES.test(plain);
}

/** True when the last letter is one of the endings'; most words are turned away here. */
export function mayEndAsStreet(text: string, end: number): boolean {
  const unit = unitAt.call(text, end - 1) | 32;
  return unit > 127 || LAST_LETTERS.includes(String.fromCharCode(unit));
}

const LAST_LETTERS = 'aedgijklmnoprtuxzwß';
const LONGEST = 40;
