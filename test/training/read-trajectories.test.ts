import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duplicateKey, readTrajectories } from '../../src/training/read-trajectories.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shaketable-trajectories-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const turn = (number: number): unknown => ({ turn: number, role: 'DM', Observation: 'a "quoted" {brace} [' })
const list = [turn(0), turn(1)]
const text = JSON.stringify(list)
const object = (id: string): string => JSON.stringify({ id, turns: list })

/** For each record `record@line: turns id`, or `record@line: problem`. */
function read(written: string | Buffer, maxBytes?: number): readonly string[] {
  const path = join(folder, 'file.json')
  writeFileSync(path, written)
  return [...readTrajectories(path, maxBytes === undefined ? {} : { maxBytes })].map(
    (found) =>
      `${String(found.record)}@${String(found.line)}: ${found.problem ?? [found.turns.length, found.id ?? ''].join(' ').trimEnd()}`,
  )
}

/** A record with a problem that starts with these words, and one with any problem that ends with them. */
const begins = (place: string, words: string): unknown => expect.stringMatching(`^${place}: ${words}`)
const ends = (place: string, words: string): unknown => expect.stringMatching(`^${place}: .*${words}$`)

describe('a file of trajectories', () => {
  it.each<[string, string, readonly string[]]>([
    ['one list of turns', text, ['1@1: 2']],
    ['one list with a turn per line', `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`, ['1@1: 2']],
    ['one object', object('a'), ['1@1: 2 a']],
    ['a list of lists', `[${text},${text}]`, ['1@1: 2', '2@1: 2']],
    ['a list of lists, laid out', JSON.stringify([list, list], null, 1), ['1@2: 2', '2@14: 2']],
    ['a list of objects', `\ufeff[\n${object('a')},\n${object('b')}\n]`, ['1@2: 2 a', '2@3: 2 b']],
    ['lists, one per line', `${text}\n\n${text}\r\n`, ['1@1: 2', '2@3: 2']],
    ['objects, one per line', `${object('a')}\n${object('b')}`, ['1@1: 2 a', '2@2: 2 b']],
    ['no turns', '[]', ['1@1: 0']],
    ['nothing', '', []],
  ])('%s', (_, written, expected) => {
    expect(read(written)).toEqual(expected)
  })

  const lists = "expected a list of turns, or an object with such a list under 'turns', got"
  const notUtf8 = Buffer.concat([
    Buffer.from(`${text}\n[{"role":"`),
    Buffer.from([0xe9, 0xff]),
    Buffer.from(`"}]\n${text}\n`),
  ])
  it.each<[string, string | Buffer, readonly unknown[]]>([
    ['a cut line', `${text}\n${text.slice(0, 60)}\n${text}\n`, ['1@1: 2', begins('2@2', 'it is not JSON'), '3@3: 2']],
    [
      'a cut first line',
      `${object('a').slice(0, 50)}\n${object('b')}\n${object('c')}\n`,
      [begins('1@1', 'it is not JSON'), '2@2: 2 b', '3@3: 2 c'],
    ],
    ['a cut last line', `${text}\n${text.slice(0, 60)}`, ['1@1: 2', ends('2@2', 'it may be cut off')]],
    [
      'a cut list, laid out',
      JSON.stringify(list, null, 2).slice(0, 80),
      ['1@1: the file ends inside it, it is cut off'],
    ],
    ['a broken list among lists', `[${text},[{"turn":1,],${text}]`, ['1@1: 2', begins('2@1', '\\D'), '3@1: 2']],
    ['another encoding', notUtf8, ['1@1: 2', '2@2: it is not in UTF-8', '3@3: 2']],
    [
      'a duplicate key',
      `[{"role":"DM","role":"DM"}]\n${text}\n`,
      ["1@1: the key 'role' stands twice in one object", '2@2: 2'],
    ],
    [
      'no trajectory',
      `{"conversations":[]}\n${text}\nnull\n`,
      [`1@1: ${lists} the keys conversations`, '2@2: 2', `3@3: ${lists} neither`],
    ],
    [
      'too many turns',
      `[${'{},'.repeat(2500)}{}]\n${text}\n`,
      ['1@1: it has 2501 turns, more than the 2000 that are read of a trajectory', '2@2: 2'],
    ],
    [
      'endless nesting',
      `${'['.repeat(5000)}\n${text}\n`,
      [begins('1@1', '\\D'), '2@2: 2', ends('2@3', 'it is cut off')],
    ],
  ])('%s: all other records are read', (_, written, expected) => {
    expect(read(written)).toEqual(expected)
  })

  it('reads a record of nearly 50 MB, and skips one of more', () => {
    const of = (megabytes: number): string =>
      JSON.stringify([{ role: 'DM', Thought: '\\"{['.repeat((megabytes * 1e6) / 6) }])
    const problem = '2@2: it is longer than the 50 MB that are read of a record'
    expect(read(`${of(45)}\n${of(51)}\n${text}\n`)).toEqual(['1@1: 1', problem, '3@3: 2'])
  })
})

describe('a duplicate key', () => {
  it.each<[string, string | undefined]>([
    ['{"a":1,"b":{"a":2}}', undefined],
    ['{"a":1,"b":{"a":2},"a":3}', 'a'],
    ['[{"a":1},{"a":1}]', undefined],
    ['{"a":"a","b":"\\"a\\":","c":["a","a"]}', undefined],
    ['{"a":1,"\\u0061" : 2}', 'a'],
    ['"a"', undefined],
    ['{"a":"', undefined],
  ])('%s', (json, key) => {
    expect(duplicateKey(json)).toBe(key)
  })
})
