import fc from 'fast-check';

const LAST_CODE_POINT = 0x10_ffff;
const isHalfOfPair = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;

/** Any character of Unicode. For fast-check's own, each process would first make a list of all of them. */
export const anyCharacter = fc
  .nat(LAST_CODE_POINT)
  .filter((codePoint) => !isHalfOfPair(codePoint))
  .map((codePoint) => String.fromCodePoint(codePoint));
