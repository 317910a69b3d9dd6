import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../../src/training/verify/script.js'

function matched(pattern: string, text: string, extent: 'all' | 'start' = 'all'): readonly unknown[] | undefined {
  const compiled = compilePattern(pattern)
  if ('problem' in compiled) throw new Error(compiled.problem)
  return compiled.match(text, extent)
}

function problemOf(pattern: string): string | undefined {
  const compiled = compilePattern(pattern)
  return 'problem' in compiled ? compiled.problem : undefined
}

describe("a pattern of Python's re", () => {
  // The results of re.fullmatch in Python 3.11.
  it.each<[string, string, readonly unknown[] | undefined]>([
    ['^\\s*cd\\s+(.*?)\\s*$', ' cd  home ', ['home']],
    ['take (?P<obj>\\w+ \\d+) from (?P<recep>.+)', 'take bowl 1 from desk 2', ['bowl 1', 'desk 2']],
    ['take (?<obj>\\w+)', 'take bowl', ['bowl']],
    ['\\Ago\\Z', 'go', []],
    ['(?i)go to (\\w+)', 'GO To Kitchen', ['Kitchen']],
    ['(?i:GO) to', 'go to', []],
    ['(?i:GO) TO', 'go to', undefined],
    ['(?x) go \\  to # where\n (\\w+)', 'go toroom', ['room']],
    ['(?x)[ a]b', ' b', []],
    ['(?x)a (?#(b c) b', 'ab', []],
    ['(?P<box>a)(?<exit>b)', 'ab', ['a', 'b']],
    ['(?i-s:A)b', 'ab', []],
    ['[\\d-]', '-', []],
    ['[-\\d]', '-', []],
    ['[a\\-\\d]', '-', []],
    ['[\\b]', '\b', []],
    ['\\é', 'é', []],
    ['a(?#a remark (with a bracket)b', 'ab', []],
    ['a.b', 'a\nb', undefined],
    ['(?s)a.b', 'a\nb', []],
    ['[\\s\\S]+', 'a\nb', []],
    ['[^\\s\\S]', 'a', undefined],
    ['\\w+', 'épée_1', []],
    ['(?a)\\w+', 'épée', undefined],
    ['\\d+', '٣', []],
    ['(?a)\\d', '٣', undefined],
    ['[\\w-]+', 'wörld-2', []],
    ['\\s', '\u00a0', []],
    ['\\S', '\u00a0', undefined],
    ['[\\S]', '\u00a0', undefined],
    ['[\\W]', '_', undefined],
    ['[\\W]', '‿', []],
    ['\\W', 'é', undefined],
    ['[[:alpha:]]', ':]', []],
    ['[]a]+', 'a]', []],
    ['[^]a]', ']', undefined],
    ['[a-c-]+', 'a-b', []],
    ['[+--]', ',', []],
    ['a{,2}', 'aa', []],
    ['a{,2}', 'aaa', undefined],
    ['a{2}b{1,}', 'aabb', []],
    ['{obj}', '{obj}', []],
    ['a{,}', 'aaa', []],
    ['\\x41\\u0042\\U00000043\\104', 'ABCD', []],
    ['\\012', '\n', []],
    ['\\.\\/\\-\\_', './-_', []],
    ['a|b', 'b', []],
    ['(a)|(b)', 'b', [undefined, 'b']],
    ['(?:a|b)*?c', 'abc', []],
    ['\\bgo\\b \\Bo', 'go o', undefined],
    ['😀.', '😀😀', []],
    ['', '', []],
  ])('%j on %j', (pattern, text, groups) => {
    expect(matched(pattern, text)).toEqual(groups)
  })

  it('matches only from the start, if requested', () => {
    expect(matched('cd (\\w+)', 'cd home; rm', 'start')).toEqual(['home'])
    expect(matched('cd (\\w+)', 'cd home; rm', 'all')).toBeUndefined()
    expect(matched('cd (\\w+)', 'please cd home', 'start')).toBeUndefined()
  })

  it.each<[string, string]>([
    ['(?=a)a', "has a group of a kind that is not supported here ('(?=')"],
    ['(a)\\1', "refers back to a group ('\\1')"],
    ['(?P<x>a)(?P=x)', "has a group of a kind that is not supported here ('(?P=')"],
    ['(?>a)', 'cannot be read (error parsing regexp: invalid or unsupported Perl syntax: `(?>`)'],
    ['(a)?(?(1)b|c)', "has a group of a kind that is not supported here ('(?(')"],
    ['a++', 'cannot be read (error parsing regexp: invalid nested repetition operator: `++`)'],
    ['(?L)a', 'has a flag that is not supported here (L)'],
    ['(?a:\\w)', "has a group of a kind that is not supported here ('(?a')"],
    ['\\Qa\\E', "has an escape that cannot be translated ('\\Q')"],
    ['\\p{L}', "has an escape that cannot be translated ('\\p')"],
    ['\\x4', "has an escape that cannot be translated ('\\x')"],
    ['a\\', 'ends in a backslash'],
    ['(a', 'cannot be read (error parsing regexp: missing closing ): `(a`)'],
    ['[a', 'cannot be read (error parsing regexp: missing closing ]: `[a`)'],
    ['[z-a]', 'cannot be read (error parsing regexp: invalid character class range: `z-a`)'],
    ['[\\w-z]', "has a range to or from a class within '[…]'"],
    ['[!-\\d]', "has a range to or from a class within '[…]'"],
    ['*a', 'cannot be read (error parsing regexp: missing argument to repetition operator: `*`)'],
    ['a{1001}', 'cannot be read (error parsing regexp: invalid repeat count: `{1001}`)'],
    ['(?#a', "has a group of a kind that is not supported here ('(?#')"],
    ['(?P<x>a)(?P<x>b)', 'cannot be read (error parsing regexp: duplicate capture group name: `x`)'],
  ])('%j %s', (pattern, problem) => {
    expect(problemOf(pattern)).toBe(problem)
  })

  const long = 'a'.repeat(5000)
  it.each([
    '(a+)+$',
    '^(a+)+!',
    '(a|aa)+$',
    '(a|a?)+!',
    '(.*a){20}!',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(a*)*b',
    '(?:a?){200}a{200}!',
    '(x+x+)+y',
    '(?i)(a|A|b)*!',
    '(\\w+\\s?)+!',
  ])('%s does not hang on an adversarial text', (pattern) => {
    const start = performance.now()
    const compiled = compilePattern(pattern)
    if ('problem' in compiled) throw new Error(compiled.problem)
    expect(compiled.match(`${long}!?`, 'all')).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it.each([
    ['((a{1000}){1000}){1000}', 'comes to more than 2000 steps when its repeats are written out'],
    ['(a?){1000}'.repeat(200), 'comes to more than 2000 steps when its repeats are written out'],
    ['(?:' + 'a'.repeat(1900) + '){900}', 'comes to more than 2000 steps when its repeats are written out'],
    ['('.repeat(1000), 'has more than 200 groups'],
    ['()'.repeat(300), 'has more than 200 groups'],
    ['a'.repeat(3000), 'is 3000 characters long, more than 2000'],
  ])('%s is refused before it is compiled', (pattern, problem) => {
    const start = performance.now()
    expect(problemOf(pattern)).toBe(problem)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
