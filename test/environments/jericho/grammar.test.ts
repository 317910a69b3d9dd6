import { describe, expect, it } from 'vitest'
import type { Dictionary } from '../../../src/environments/jericho/dictionary.js'
import { readDictionary } from '../../../src/environments/jericho/dictionary.js'
import type { Grammar } from '../../../src/environments/jericho/grammar.js'
import { directionOf, readGrammar } from '../../../src/environments/jericho/grammar.js'
import { readHeronLight } from '../../../src/environments/jericho/tasks.js'
import { Machine } from '../../../src/environments/jericho/machine/machine.js'

/** The lines of a word's verb, as `noun in noun`. */
function linesOf(word: string, grammar: Grammar, dictionary: Dictionary): readonly string[] | undefined {
  const found = dictionary.find(word)
  return (
    found && grammar.verbOf(found)?.lines.map(({ tokens }) => tokens.map((one) => [one].flat().join('/')).join(' '))
  )
}

describe.each([0, 1])("the grammar of a story of Infocom's, with %d bytes behind the lines of a verb", (padding) => {
  const base = 0x100
  const bytes = new Uint8Array(0x200)
  // Two verbs: `look`, `look at noun`; `put held in noun`.
  const tables = [
    [2, [0, 0, 0, 0, 0, 0, 0, 9], [1, 250, 0, 0, 0, 0x30, 0, 8]],
    [1, [2, 0, 251, 0, 0, 0xc0, 0x30, 7]],
  ].map((one) => one.flat())
  let at = base + 2 * tables.length
  tables.forEach((table, index) => {
    bytes.set([at >> 8, at & 255], base + 2 * index)
    bytes.set(table, at)
    at += table.length + padding
  })
  const words = [
    ['look', 0x41, 255, 0],
    ['put', 0x41, 254, 0],
    ['at', 8, 250, 0],
    ['in', 0x18 | 3, 30, 251],
    ['north', 0x13, 31, 0],
    ['lamp', 0x80, 1, 0],
  ] as const
  const dictionaryWords = words.map(([text, ...data], address) => ({ address, text, data: new Uint8Array(data) }))
  const machine = {
    header: { staticMemory: base, length: bytes.length, serial: '840726' },
    readByte: (address: number) => bytes[address] ?? 0,
    readWord: (address: number) => (bytes[address]! << 8) | bytes[address + 1]!,
  } as unknown as Machine
  const dictionary: Dictionary = {
    words: dictionaryWords,
    find: (word) => dictionaryWords.find(({ text }) => text === word),
    isWord: () => false,
    at: () => undefined,
    split: (line) => line.split(' '),
  }

  it('is read by the parts of speech that its dictionary has', () => {
    const grammar = readGrammar(machine, dictionary)
    expect(linesOf('look', grammar, dictionary)).toEqual(['', 'at noun'])
    expect(linesOf('put', grammar, dictionary)).toEqual(['held in noun'])
    expect(grammar.verbs.flatMap(({ lines }) => lines.map(({ action }) => action))).toEqual([9, 8, 7])
    const is = (word: string) => [grammar.isDirection(dictionary.find(word)!), grammar.isNoun(dictionary.find(word)!)]
    expect([is('north'), is('in'), is('lamp')]).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ])
  })

  it('has no verbs where the table is none', () => {
    bytes.fill(255, base, base + 2)
    expect(readGrammar(machine, dictionary).verbs).toEqual([])
  })
})

describe('the dictionary of a story', () => {
  const dictionary = readDictionary(new Machine(readHeronLight()))
  it.each([
    ['EXTINGUISHER', 'extinguis'],
    ['extinguish', 'extinguis'],
    ['lamps', undefined],
    ['', undefined],
  ])('finds %j', (word, text) => {
    expect(dictionary.find(word)?.text).toBe(text)
  })

  it('splits a line at blanks and separators', () => {
    expect(dictionary.split(' Take\tthe  LAMP,go.')).toEqual(['take', 'the', 'lamp', ',', 'go', '.'])
    expect(['n', 'NORTH', 'sw', 'lamp'].map(directionOf)).toEqual(['north', undefined, 'southwest', undefined])
  })
})
