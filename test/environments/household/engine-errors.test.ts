import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import type { GameFile, GameSource } from '../../../src/environments/household/engine/game-file.js'
import { compileGame } from '../../../src/environments/household/engine/engine.js'
import { domainText } from '../../../src/environments/household/text/domain.js'
import { parseGameFile, readGameFile, sourceOf } from '../../../src/environments/household/engine/game-file.js'
import { problem, smallDomain, smallSource } from './small-game.js'
import { gameFileOf } from './write-games.js'
import { scratchFolder } from '../../scratch.js'

const folder = scratchFolder()

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
    ['text that is not JSON', '{', 'it is not JSON'],
    ['a list', '[]', 'expected a JSON object, got a list'],
    ['no grammar', json({ grammar: undefined }), 'expected "grammar" to be a string, got nothing'],
    ['no solvable', json({ solvable: undefined }), 'expected "solvable" to be true or false, got nothing'],
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

describe('the wording of a game file', () => {
  const file = (changes: Partial<GameFile> = {}): GameFile => ({ ...gameFileOf(smallSource('new')), ...changes })
  const { grammar } = file()
  const goalOf = (goal: string): string => grammar.replace('cool some mug and put it in fridge.', () => goal)

  it.each(['old', 'new'] as const)('is known by its grammar, whatever the goal: %s', (generation) => {
    const source = smallSource(generation, { goalSentence: "fetch $& & $1, it's late: späť." })
    expect(sourceOf(gameFileOf(source), 'g')).toEqual(source)
  })

  it('can be changed to that of the other generation, with the domain that belongs to it', () => {
    const { goalSentence, pddlProblem } = smallSource()
    const old = { pddlDomain: domainText('old'), pddlProblem, generation: 'old', goalSentence }
    expect(sourceOf(file(), 'g', 'old')).toEqual(old)
    expect(sourceOf(file(), 'g', 'new')).toEqual(smallSource())
    expect(sourceOf(file({ grammar: grammar.replace('pick up', 'grab') }), 'g', 'old')).toEqual(old)
  })

  it.each([grammar.replace('You pick up', 'You grab'), `${grammar}\n`, grammar.replace('"task"', '"a task"')])(
    'is refused in one sentence for another grammar (%#)',
    (other) => {
      expect(refusal(() => sourceOf(file({ grammar: other }), 'g'))).toMatch(
        /^g: expected the grammar of ALFWorld's release 0\.2\.2 or 0\.4\.2, got another one \(SHA-256 [0-9a-f]{64}\)\. Use .* give --set household.generation=old or new/,
      )
    },
  )

  it.each([goalOf('go to {r}.'), goalOf(''), 'Your task is to: '.repeat(50_000), ''])(
    'is refused, and cannot be changed, where no task is stated (%#)',
    (other) => {
      for (const generation of [undefined, 'old'] as const) {
        expect(refusal(() => sourceOf(file({ grammar: other }), 'g', generation))).toBe(
          "g: expected a grammar that states the task in plain text after 'Your task is to: ', got one that does not. Use a game.tw-pddl file as ALFWorld publishes them.",
        )
      }
    },
  )
})

describe('compiling a game', () => {
  const broken = (changes: Partial<GameSource>): string => refusal(() => compileGame(smallSource('new', changes), 'g'))

  it.each<[string, Partial<GameSource>, string]>([
    ['an open parenthesis', { pddlDomain: smallDomain.replace(/\)\s*$/, '') }, "line 2, column 1: expected ')'"],
    ['an action without wording', { generation: 'old' }, "expected an action of ALFWorld's old domain, got 'help'"],
    [
      'an action without a parameter that its wording names',
      { pddlDomain: smallDomain.replaceAll('lEnd', 'lThere') },
      "expected a parameter '?lend' of the action, got 'gotolocation'",
    ],
    ['deep nesting', { pddlProblem: problem('(not '.repeat(100_000)) }, 'nested parentheses'],
  ])('refuses %s', (_, changes, message) => {
    const said = broken(changes)
    expect(said).toContain(message)
    expect(said).toMatch(/^g\b/)
    expect(said.length).toBeLessThan(600)
  })

  it('plays any mutation of its texts or refuses it in one sentence', () => {
    const part = fc.constantFrom('pddlDomain', 'pddlProblem')
    const inserted = fc.constantFrom('', '\n', '\u{1f600}', ...' ( ) ?x " { } [ ] # | not - and 0 ; \\'.split(' '), ' ')
    const change = fc.record({ part, at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(2), inserted })
    let played = 0
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const file: Record<string, unknown> = { ...smallSource('new') }
        for (const { part: key, at, cut, inserted: added } of changes) {
          const text = file[key] as string
          const from = Math.floor(at * text.length)
          file[key] = text.slice(0, from) + added + text.slice(from + cut)
        }
        try {
          const engine = compileGame(file as unknown as GameSource, 'g').start()
          for (let step = 0; step < 8; step++) {
            const admissible = engine.admissible()
            engine.step(admissible[(step * 7) % Math.max(admissible.length, 1)] ?? 'look')
          }
          played++
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ShaketableError)
          expect((thrown as ShaketableError).message).toMatch(/^g\b[^\n]{20,900}$/)
        }
      }),
      { numRuns: 1500, seed: 20260102 },
    )
    expect(played).toBeGreaterThan(100)
  })
})
