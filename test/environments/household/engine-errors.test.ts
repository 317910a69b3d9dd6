import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import type { GameFile } from '../../../src/environments/household/engine/game-file.js'
import { compileGame } from '../../../src/environments/household/engine/engine.js'
import { parseGameFile, readGameFile } from '../../../src/environments/household/engine/game-file.js'
import { problem, smallDomain, smallFile, smallGrammar, smallProblem } from './small-game.js'

const folder = mkdtempSync(join(tmpdir(), 'engine-errors-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ShaketableError)
    expect((thrown as ShaketableError).code).toBe('bad-input')
    return (thrown as ShaketableError).message
  }
  return 'accepted'
}

const json = (changes: object): string =>
  JSON.stringify({ pddl_domain: 'd', grammar: 'g', pddl_problem: 'p', solvable: true, ...changes })

describe('reading a game file', () => {
  it('reads the files of both releases, with and without a walkthrough', () => {
    const path = join(folder, 'game.tw-pddl')
    writeFileSync(path, json({ walkthrough: ['look'] }))
    const file = { pddlDomain: 'd', grammar: 'g', pddlProblem: 'p', solvable: true }
    expect(readGameFile(path)).toEqual({ ...file, walkthrough: ['look'] })
    expect(parseGameFile(json({}), 'here')).toEqual(file)
    expect(parseGameFile(json({ walkthrough: null }), 'here')).toEqual(file)
  })

  it.each([
    [
      'text that is not JSON',
      '{',
      "line 1, column 2: it is not JSON: expected a key in double quotes or '}', got the end of the text. Use a game.tw-pddl file",
    ],
    ['a list', '[]', 'expected a JSON object, got a list'],
    ['null', 'null', 'expected a JSON object, got null'],
    ['no grammar', json({ grammar: undefined }), 'expected "grammar" to be a string, got nothing'],
    [
      'a number for a domain',
      json({ pddl_domain: 3 }),
      'expected "pddl_domain" to be a string, got a value of type number',
    ],
    ['a list for a problem', json({ pddl_problem: [] }), 'expected "pddl_problem" to be a string, got a list'],
    ['no solvable', json({ solvable: undefined }), 'expected "solvable" to be true or false, got nothing'],
    ['a string for a walkthrough', json({ walkthrough: 'look' }), 'expected "walkthrough" to be a list of strings'],
    ['numbers in a walkthrough', json({ walkthrough: [1] }), 'expected "walkthrough" to be a list of strings'],
  ])('refuses %s', (_, text, message) => {
    const path = join(folder, 'broken.tw-pddl')
    writeFileSync(path, text)
    const said = refusal(() => readGameFile(path))
    expect(said).toContain(message)
    expect(said).toContain(path)
    expect(said).not.toContain('\n')
  })

  it('refuses a missing file, and a folder', () => {
    expect(refusal(() => readGameFile(join(folder, 'none')))).toMatch(
      /Expected a game file at '.*none', which cannot be read: .*Check the path/,
    )
    expect(refusal(() => readGameFile(folder))).toContain('which cannot be read')
  })
})

describe('compiling a game', () => {
  const broken = (changes: Partial<GameFile>): string => refusal(() => compileGame(smallFile('new', changes), 'g'))

  it('accepts the small game', () => {
    expect(broken({})).toBe('accepted')
  })

  it.each<[string, Partial<GameFile>, string]>([
    ['an unsolvable game', { solvable: false }, 'g: expected a solvable game'],
    [
      'an open parenthesis',
      { pddlDomain: smallDomain.replace(/\)\s*$/, '') },
      "g, pddl_domain, line 2, column 1: expected ')'",
    ],
    [
      'an action without wording',
      { grammar: smallGrammar('old') },
      "g, grammar: expected a template and a feedback for action 'help' of the domain, got none",
    ],
    [
      'a symbol without a rule',
      { grammar: smallGrammar('new').replace('"contents"', '"content"') },
      "expected a rule for symbol '#contents#'",
    ],
    [
      'a type without a name',
      { grammar: smallGrammar('new').replace('ison(o:object)', 'ison(o:thing)') },
      "expected a type of the domain, got 'thing'",
    ],
    [
      'an unfinished query',
      { grammar: smallGrammar('new').replace('"holdsany(a:agent)"', '"holdsany(a:agent"') },
      'expected a query such as',
    ],
    [
      'an unknown property',
      { grammar: smallGrammar('new').replace('{l.name', '{').replace('{r.name or r.id}', '{r.size}') },
      "got 'r.size'",
    ],
    [
      'a problem of another domain',
      { pddlProblem: smallProblem.replace('(:domain small)', '(:domain big)') },
      "expected a problem of domain 'small', got 'big'",
    ],
    [
      'a fact about nothing',
      { pddlProblem: smallProblem.replace('(openable Fridge_bar_1)', '(openable Fridge)') },
      "expected declared objects in '(openable …)', got 'fridge'",
    ],
    [
      'a goal without a predicate',
      { pddlProblem: problem('(exists (?x - object) (shiny ?x))') },
      "expected a declared predicate, got '(shiny …)'",
    ],
    ['deep nesting', { pddlProblem: problem('(not '.repeat(100_000)) }, 'nested parentheses'],
    ['a circular grammar', { grammar: smallGrammar('new').replace('#task#"', '#intro#"') }, 'come to an end'],
  ])('refuses %s', (_, changes, message) => {
    const said = broken(changes)
    expect(said).toContain(message)
    expect(said).toMatch(/^g\b/)
    expect(said.length).toBeLessThan(600)
  })

  it('follows a long chain of symbols up to the limit', () => {
    const chain = (length: number): string => {
      const links = Array.from({ length }, (_, index) => [`s${index}`, [{ rhs: `#s${index + 1}#` }]])
      const rules = { ...Object.fromEntries(links), [`s${length}`]: [{ rhs: 'end' }], intro: [{ rhs: '#s0#' }] }
      return `${smallGrammar('new')}grammar :: """${JSON.stringify(rules)}""";`
    }
    expect(compileGame(smallFile('new', { grammar: chain(100) }), 'g').opening).toBe('end')
    expect(broken({ grammar: chain(20_000) })).toContain('come to an end')
    expect(broken({ grammar: chain(60_000) })).toContain('expected a grammar of at most 1000000 characters')
    expect(broken({ grammar: '# \n'.repeat(240_000) })).toContain("expected a rule for symbol '#intro#'")
  })

  it('limits a query over all objects', () => {
    const everything = Array.from({ length: 8 }, (_, index) =>
      `canContain(r${index}:rtype, o${index}:otype)`.toLowerCase(),
    ).join(' & ')
    const pairs = Array.from(
      { length: 9 },
      (_, index) => `receptacleatlocation(x${index}:receptacle, y${index}:location)`,
    ).join(' & ')
    const intro = (query: string): string =>
      `${smallGrammar('new')}grammar :: """${JSON.stringify({ intro: [{ condition: query, rhs: 'found' }, { rhs: 'none' }] })}""";`
    expect(compileGame(smallFile('new', { grammar: intro(everything) }), 'g').opening).toBe('none')
    const facts = Array.from({ length: 40 }, (_, index) => `(inReceptacle thing${index} Desk_bar_1)`).join(' ')
    const things = Array.from({ length: 40 }, (_, index) => `thing${index}`).join(' ')
    const crowded = smallProblem
      .replace('(:init', `(:init ${facts}`)
      .replace('(:objects', `(:objects ${things} - object `)
    const objects = Array.from(
      { length: 9 },
      (_, index) => `inreceptacle(x${index}:object, d${index}:receptacle)`,
    ).join(' & ')
    expect(broken({ pddlProblem: crowded, grammar: intro(`${pairs} & ${objects}`) })).toBe('accepted')
    const endless = Array.from({ length: 9 }, (_, index) => `inreceptacle(x${index}:object, d:receptacle)`).join(' & ')
    expect(broken({ pddlProblem: crowded, grammar: intro(`${endless} & openable(d:receptacle)`) })).toContain(
      'finds no end',
    )
  })

  it('plays any mutation of its texts or refuses it in one sentence', () => {
    const part = fc.constantFrom('pddlDomain', 'pddlProblem', 'grammar')
    const inserted = fc.constantFrom('', '\n', '\u{1f600}', ...' ( ) ?x " { } [ ] # | not - and 0 ; \\'.split(' '), ' ')
    const change = fc.record({ part, at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(2), inserted })
    let played = 0
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const file: Record<string, unknown> = { ...smallFile('new') }
        for (const { part: key, at, cut, inserted: added } of changes) {
          const text = file[key] as string
          const from = Math.floor(at * text.length)
          file[key] = text.slice(0, from) + added + text.slice(from + cut)
        }
        try {
          const engine = compileGame(file as unknown as GameFile, 'g').start()
          for (let step = 0; step < 8; step++) {
            const admissible = engine.admissible()
            engine.step(admissible[(step * 7) % Math.max(admissible.length, 1)] ?? 'look')
          }
          played++
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ShaketableError)
          expect((thrown as ShaketableError).message).toMatch(/^(g\b|The grammar of the game: )[^\n]{20,900}$/)
        }
      }),
      { numRuns: 1500, seed: 20260102 },
    )
    expect(played).toBeGreaterThan(100)
  })
})
