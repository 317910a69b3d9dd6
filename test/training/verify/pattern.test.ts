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
    ['(?=a)a', "looks ahead ('(?=…)')"],
    ['(?!a)b', "looks ahead ('(?!…)')"],
    ['(?<=a)b', "looks behind ('(?<=…)')"],
    ['(?<!a)b', "looks behind ('(?<!…)')"],
    ['(a)\\1', "refers back to a group ('\\1')"],
    ['(?P<x>a)(?P=x)', "refers back to a group ('(?P=…)')"],
    ['(?>a)', "has an atomic group ('(?>…)')"],
    ['(a)?(?(1)b|c)', "has a condition on a group ('(?(…)…)')"],
    ['a++', "has a possessive repeat ('++')"],
    ['(?L)a', 'asks for the locale (flag L)'],
    ['(?U)a', 'has a flag that Python does not know (U)'],
    ['(?a:\\w)', 'changes what a letter is within a group (flag a or u)'],
    ['\\Qa\\E', "has an escape that cannot be translated ('\\Q')"],
    ['\\p{L}', "has an escape that cannot be translated ('\\p')"],
    ['\\x4', "has an escape that is not finished ('\\x')"],
    ['a\\', 'ends in a backslash'],
    ['(a', 'has a group that is not closed'],
    ['a)', "has a ')' that closes nothing"],
    ['[a', "has a '[' that is not closed"],
    ['[z-a]', "has a range with its ends reversed or not single characters within '[…]'"],
    ['[\\w-z]', "has a range with its ends reversed or not single characters within '[…]'"],
    ['*a', "has nothing to repeat before '*'"],
    ['a**', "has nothing to repeat before '*'"],
    ['a{3,2}', 'has a repeat whose maximum is below its minimum'],
    ['a{1001}', 'repeats something more than 1,000 times'],
    ['(?#a', 'has a comment that is not closed'],
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
    ['('.repeat(150) + ')'.repeat(150), 'has groups more than 100 deep'],
    ['()'.repeat(300), 'has more than 200 groups'],
    ['a'.repeat(3000), 'is 3000 characters long, more than 2000'],
  ])('%s is refused before it is compiled', (pattern, problem) => {
    const start = performance.now()
    expect(problemOf(pattern)).toBe(problem)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
