import fc from 'fast-check';

const LAST_CODE_POINT = 0x10_ffff;
const isHalfOfPair = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;

// fast-check has arbitraries for these, too. Each process that uses one first makes a list of all of Unicode, which
// takes a second.

/** Any character of Unicode. */
export const anyCharacter = fc
  .nat(LAST_CODE_POINT)
  .filter((codePoint) => !isHalfOfPair(codePoint))
  .map((codePoint) => String.fromCodePoint(codePoint));

const urlText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."ab01-._~!$&'()*+,;=:@"),
    anyCharacter.map((character) => encodeURIComponent(character)),
  ),
});

/** A web address, maybe with a path, a query, and a fragment. */
export const anyUrl = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.domain(),
    path: fc.array(urlText.map((segment) => `/${segment}`)),
    query: fc.oneof(
      fc.constant(''),
      urlText.map((text) => `?${text}`),
    ),
    fragment: fc.oneof(
      fc.constant(''),
      urlText.map((text) => `#${text}`),
    ),
  })
  .map(({ scheme, host, path, query, fragment }) =>
    [scheme, '://', host, ...path, query, fragment].join(''),
  );
