import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../../src/training/verify/script.js'

function matched(pattern: string, text: string, extent: 'all' | 'start' = 'all'): readonly unknown[] | undefined {
  const compiled = compilePattern(pattern)
  if ('problem' in compiled) throw new Error(compiled.problem)
  return compiled.match(text, extent)
}

describe("a pattern of Python's re", () => {
  // The results of re.fullmatch in Python 3.11.
  it.each<[string, string, readonly unknown[] | undefined]>([
    ['^\\s*cd\\s+(.*?)\\s*$', ' cd  home ', ['home']],
    ['take (?P<obj>\\w+ \\d+) from (?P<recep>.+)', 'take bowl 1 from desk 2', ['bowl 1', 'desk 2']],
    ['(?i)go to (\\w+)', 'GO To Kitchen', ['Kitchen']],
    ['(?i:GO) TO', 'go to', undefined],
    ['[\\d-]', '-', []],
    ['[\\b]', '\b', []],
    ['a.b', 'a\nb', undefined],
    ['[\\s\\S]+', 'a\nb', []],
    ['\\w+', 'épée_1', []],
    ['\\d+', '٣', []],
    ['[\\w-]+', 'wörld-2', []],
    ['\\s', '\u00a0', []],
    ['\\S', '\u00a0', undefined],
    ['\\W', 'é', undefined],
    ['[[:alpha:]]', ':]', []],
    ['[^]a]', ']', undefined],
    ['a{,2}', 'aa', []],
    ['{obj}', '{obj}', []],
    ['\\x41\\u0042\\104', 'ABD', []],
    ['(a)|(b)', 'b', [undefined, 'b']],
  ])('%j on %j', (pattern, text, groups) => {
    expect(matched(pattern, text)).toEqual(groups)
  })

  it('matches only from the start, if requested', () => {
    expect(matched('cd (\\w+)', 'cd home; rm', 'start')).toEqual(['home'])
    expect(matched('cd (\\w+)', 'please cd home', 'start')).toBeUndefined()
  })

  it.each([
    ...['(?=a)a', '(a)\\1', '(?P<x>a)(?P=x)', 'a++', '(a', '[z-a]', 'a{1001}', '((a{1000}){1000}){1000}'],
    ...[`(?:${'a'.repeat(1900)}){900}`, 'a'.repeat(3000)],
  ])('%s is refused', (pattern) => {
    const start = performance.now()
    expect(compilePattern(pattern)).toHaveProperty('problem')
    expect(performance.now() - start).toBeLessThan(500)
  })

  const slow = ['(a+)+$', '(a|aa)+$', '(.*a){20}!', '(a*)*b', '(?:a?){200}a{200}!', '(\\w+\\s?)+!']
  it.each(slow)('%s does not hang on an adversarial text', (pattern) => {
    const start = performance.now()
    expect(matched(pattern, `${'a'.repeat(5000)}!?`)).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
