/** Called as a function, for the method is looked up anew for each kind of string: design/privacy-detection.md. */
const unitAt = String.prototype.charCodeAt;

/** Longest name in a script without blanks, in characters. */
const LONGEST_HAN = 6;
const LONGEST = 60;

/**
 * True when a value in another script than the Latin one may be a person's name.
 *
 * @param isVague the key may speak of a thing as well: the first character must be a surname, or an ending a name's.
 */
export function isForeignName(text: string, isVague: boolean): boolean {
  const name = text.trim();
  if (name.length > LONGEST) return false;
  if (HAN.test(name))
    return name.length <= LONGEST_HAN && name.length > 1 && (!isVague || SURNAMES.includes(name.charAt(0)));
  if (HANGUL.test(name))
    return name.length >= 2 && name.length <= 5 && (!isVague || KOREAN.includes(name.charAt(0)));
  if (CYRILLIC.test(name)) return !isVague || CYRILLIC_ENDING.test(name);
  return !isVague || WORDS_OF_NAME.test(name);
}

/** Calls `found` for names that a Chinese, Japanese or Korean form of address follows: 田中さん, 王先生, 김민수 씨. */
export function findAddressed(
  text: string,
  start: number,
  end: number,
  found: (start: number, end: number) => void,
): void {
  for (let at = start + 1; at < end; at++) {
    const unit = unitAt.call(text, at);
    if (
      unit !== 0x3055 /* さ */ &&
      unit !== 0x69d8 /* 様 */ &&
      unit !== 0x6c0f /* 氏 */ &&
      unit !== 0x5148 /* 先 */ &&
      unit !== 0x5973 /* 女 */ &&
      unit !== 0x5c0f /* 小 */
    )
      continue;
    const form = FORMS.find((candidate) => text.startsWith(candidate, at));
    if (form === undefined) continue;
    let from = at;
    while (from > start && at - from < MOST_BEFORE && isHan(unitAt.call(text, from - 1))) from--;
    while (from < at && !SURNAMES.includes(text.charAt(from))) from++;
    if (from < at) found(from, at);
  }
}

function isHan(unit: number): boolean {
  return unit >= 0x4e00 && unit <= 0x9fff;
}

const MOST_BEFORE = 4;
const FORMS = ['さん', '様', '氏', '先生', '女士', '小姐'];
const HAN = /^[\u4e00-\u9fff\u3005\u30a0-\u30ff\u3040-\u309f ・·]+$/u;
const HANGUL = /^[\uac00-\ud7a3 ]+$/u;
const CYRILLIC = /^[\u0400-\u04ff .'-]+$/u;
const CYRILLIC_ENDING =
  /(?:ов|ова|ев|ева|ёв|ёва|ин|ина|ын|ына|ский|ская|цкий|цкая|енко|ович|евич|овна|евна|ична|ук|юк|чук|ко|ян|дзе|швили)(?: |$)/u;
/** Two to four words of letters, as names in Greek, Arabic, Hebrew or Devanagari have. */
const WORDS_OF_NAME = /^[\p{L}\p{M}]{2,20}(?: [\p{L}\p{M}]{1,20}){1,3}$/u;

/** Characters that Chinese and Japanese surnames begin with. */
const SURNAMES =
  '王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖萧蕭田董袁潘于蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鐘谭譚陆陸汪范石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛闫段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯' +
  '佐鈴木高橋渡伊藤山中村小加吉本斎斉松井清池阿部森橋石前岡長藤後近遠青坂福西太三原岩金柴酒竹桜大谷今平菅野千葉久保上杉島宮内水横安河関古浜川北野新沢堀';
const KOREAN = '김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진나';
