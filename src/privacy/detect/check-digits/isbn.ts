/** Whether ten characters are an ISBN-10, with its check character (modulo 11, X is ten). */
export function isIsbn10(text: string): boolean {
  if (text.length !== 10) return false;
  let sum = 0;
  for (let at = 0; at < 10; at++) {
    const digit = at === 9 && text[at] === 'X' ? 10 : text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 10) return false;
    sum += digit * (10 - at);
  }
  return sum % 11 === 0;
}
