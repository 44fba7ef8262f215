import { hashOfWord } from '../words.js';

/** True when two words side by side are a firm or a brand though they read like a person: Morgan Stanley. */
export function isBrand(first: number, second: number): boolean {
  return PAIRS.has(pair(first, second));
}

function pair(first: number, second: number): number {
  return (Math.imul(first, 31) ^ second) >>> 0;
}

const PAIRS: ReadonlySet<number> = new Set(
  (
    'morgan stanley,goldman sachs,charles schwab,wells fargo,calvin klein,ralph lauren,tommy hilfiger,hugo boss,' +
    'estee lauder,harley davidson,rolls royce,aston martin,alfa romeo,land rover,mary kay,jack daniels,johnnie walker,' +
    'louis vuitton,christian dior,jimmy choo,eddie bauer,abercrombie fitch,brooks brothers,perry ellis,marc jacobs,' +
    'kenneth cole,michael kors,kate spade,vera wang,giorgio armani,roberto cavalli,guy laroche,fred perry,' +
    'ben sherman,karl lagerfeld,arthur andersen,booz allen,allen hamilton,merrill lynch,lehman brothers,' +
    'credit suisse,julius baer,raymond james,edward jones,franklin templeton,john deere,eli lilly,oscar mayer,' +
    'betty crocker,uncle ben,aunt jemima,jim beam,captain morgan,sierra nevada,samuel adams,' +
    'red hat,hewlett packard,bang olufsen,dr oetker,thomas cook,carl zeiss,robert half,kelly services,raspberry pi,' +
    'max planck,konrad adenauer,santa claus,uncle sam'
  )
    .split(',')
    .map((spelled) => spelled.split(' '))
    .map(([first = '', second = '']) => pair(hashOfWord(first), hashOfWord(second))),
);
