import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNameFinder } from '../../src/core/names.js'

const mark = (name: string): string => `<${name}>`

describe('a name finder', () => {
  it.each([
    [['drawer 1', 'drawer 10'], 'a drawer 1, a drawer 10, a drawer 11.', 'a <drawer 1>, a <drawer 10>, a drawer 11.'],
    [
      ['desk', 'desk 1', 'desk 1 lid'],
      'desk 1 lid, desk 1s, desk 1, desks',
      '<desk 1 lid>, <desk> 1s, <desk 1>, desks',
    ],
    [['mug 1'], 'mug 1.5 (mug 1) “mug 1” mug 1… mug_1', '<mug 1>.5 (<mug 1>) “<mug 1>” <mug 1>… mug_1'],
    [['é 1', 'Tür 2', '抽屉 3'], 'é 1, Tür 2, 抽屉 3; 开抽屉 3', '<é 1>, <Tür 2>, <抽屉 3>; 开抽屉 3'],
    [['[box]', '#1', 'a+b'], '[box] [box #1 #12 a+b a+bc', '<[box]> [box <#1> #12 <a+b> a+bc'],
    [
      ['__proto__', 'constructor'],
      'a __proto__ and a constructor, toString',
      'a <__proto__> and a <constructor>, toString',
    ],
    [['', 'x'], 'x y', '<x> y'],
  ])('%j in %s', (names, text, expected) => {
    expect(createNameFinder(names).replace(text, mark)).toBe(expected)
  })

  it('agrees with a slow and simple search', () => {
    const part = fc.constantFrom('a', 'b', 'ab', ' ', '1', '10', ',', '-', 'é')
    const text = fc.array(part, { maxLength: 14 }).map((list) => list.join(''))
    const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((list) => list.join(''))
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), text, (names, sentence) => {
        expect(createNameFinder(names).replace(sentence, mark)).toBe(slowReplace(names, sentence))
      }),
      { numRuns: 2000 },
    )
  })
})

function slowReplace(names: readonly string[], text: string): string {
  const isWord = (character: string | undefined): boolean =>
    character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character)
  const longestFirst = [...names].sort((a, b) => b.length - a.length)
  let result = ''
  for (let index = 0; index < text.length;) {
    const inside = isWord(text[index]) && isWord(text[index - 1])
    const name = inside
      ? undefined
      : longestFirst.find((one) => {
          const after = index + one.length
          return text.startsWith(one, index) && !(isWord(text[after]) && isWord(text[after - 1]))
        })
    result += name === undefined ? text[index]! : mark(name)
    index += name?.length ?? 1
  }
  return result
}
