const spaces = '\\t-\\r\\x{1c}- \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}'
const noSpaces =
  '\\x{0}-\\x{8}\\x{e}-\\x{1b}!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}'
const noWord =
  '\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\x{203f}\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}'

/** What stands for a class of Python's between brackets, for text and under the flag for ASCII. */
export const classes: Readonly<Record<string, { readonly text: string; readonly ascii: string }>> = {
  d: { text: '\\p{Nd}', ascii: '0-9' },
  D: { text: '\\P{Nd}', ascii: '\\D' },
  w: { text: '\\p{L}\\p{N}_', ascii: '0-9A-Za-z_' },
  W: { text: noWord, ascii: '\\W' },
  s: { text: spaces, ascii: '\\t-\\r ' },
  S: { text: noSpaces, ascii: '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{10ffff}' },
}
/** What escapes for control characters stand for. */
export const controls: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** What RE2 has no counterpart for, by what follows `(?`. */
export const unableGroups: Readonly<Record<string, string>> = {
  '=': "looks ahead ('(?=…)')",
  '!': "looks ahead ('(?!…)')",
  '<=': "looks behind ('(?<=…)')",
  '<!': "looks behind ('(?<!…)')",
  '>': "has an atomic group ('(?>…)')",
  'P=': "refers back to a group ('(?P=…)')",
  '(': "has a condition on a group ('(?(…)…)')",
}
