import { describe, expect, it } from 'vitest'
import { createEncoder, maxActionTokens, maxTokens } from '../../../src/learn/transformer/sequence.js'
import { createTokenizer, isTokenizer, learnTokenizer, marks } from '../../../src/learn/transformer/tokenizer.js'

const texts = Array.from({ length: 5 }, (_, at) => [
  `On the shelf ${String(at)}, you see a pen ${String(at + 1)}, and a book ${String(at + 9)}.`,
  `take pen ${String(at + 1)} from shelf ${String(at)}`,
]).flat()
const data = learnTokenizer(texts)
const tokenizer = createTokenizer(data)
const split = (text: string): string[] => tokenizer.encode(text).map((token) => tokenizer.decode([token]))

describe('a tokenizer', () => {
  it('keeps nouns and numbers apart from what is between them', () => {
    expect(data.nouns).toEqual(['book', 'pen', 'shelf'])
    expect(split('take pen 3 from shelf 2')).toEqual([' take', ' pen', ' 3', ' from', ' shelf', ' 2'])
    expect(split('you see a pen 1')).toContain(' pen')
    expect(isTokenizer(data)).toBe(true)
    expect(learnTokenizer([...texts])).toEqual(data)
  })

  it.each([
    'take pen 12 from shelf 3',
    'Größe 🙂 123456 {obj}/{recep}\n\n  x',
    '{}{} {{',
    'a'.repeat(500),
    '\ud83d',
    '',
  ])('gives back %j', (text) => {
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text === '' ? '' : ` ${Buffer.from(text).toString()}`)
  })

  it.each([
    ['a merge of a token after it', { ...data, merges: [[260, 260]] as const }],
    ['a merge of a mark', { ...data, merges: [[0, 100]] as const }],
    [
      'tokens that double',
      { ...data, merges: Array.from({ length: 40 }, (_, at) => [260 + at - 1, 260 + at - 1] as const) },
    ],
    ['a token that no merge made', { ...data, kept: [70_000] }],
    ['a token twice', { ...data, kept: [260, 260] }],
  ])('is refused with %s', (_, wrong) => {
    expect(isTokenizer(wrong)).toBe(false)
  })
})

describe('a sequence', () => {
  const encode = createEncoder(tokenizer)
  const exchange = { action: 'take pen 3 from shelf 2', answer: 'On the shelf 2, you see a pen 1.', loss: true }
  const conversation = { head: '', goal: 'take a pen', opening: texts[0]!, exchanges: [exchange] }

  it('counts each token of an action that is learned from, with its end', () => {
    const { tokens, weights } = encode(conversation)
    const learned = tokens.filter((_, at) => weights[at - 1] === 1)
    expect(learned).toEqual([...tokenizer.encode(exchange.action), marks.observation])
    const masked = encode({ ...conversation, exchanges: [{ ...exchange, loss: false }] })
    expect(masked.tokens).toEqual(tokens)
    expect(masked.weights.filter((weight) => weight === 0)).toHaveLength(learned.length)
    expect(masked.weights).not.toContain(1)
  })

  it('leaves out the oldest exchanges of a long conversation, and has room for an action', () => {
    const exchanges = Array.from({ length: 400 }, (_, at) => ({ ...exchange, action: `take pen ${String(at)}` }))
    const { tokens, weights } = encode({ ...conversation, exchanges })
    expect(tokens.length).toBeLessThanOrEqual(maxTokens - maxActionTokens - 1)
    expect(tokens.length).toBeGreaterThan(maxTokens - 2 * maxActionTokens)
    expect(weights).toHaveLength(tokens.length)
    const text = tokenizer.decode(tokens)
    expect(text).toContain('take a pen')
    expect(text).toContain('pen 399')
    expect(text).not.toContain('pen 300')
    const long = 'pen 1 '.repeat(5000)
    expect(encode({ head: long, goal: long, opening: long, exchanges: [] }).tokens.length).toBeLessThan(maxTokens)
  })
})
