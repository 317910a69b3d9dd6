import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printForm, readForm } from '../../src/core/form.js'

const names = ['mug 1', 'mug 13', 'cabinet 1', 'cabinet 13', '__proto__', 'pen from desk 1']
const isName = (value: string): boolean => names.includes(value)

describe('an action form', () => {
  it.each([
    ['go to {recep}', 'go to cabinet 13', { recep: 'cabinet 13' }],
    ['from {recep} take {obj}', 'from cabinet 1 take mug 13', { recep: 'cabinet 1', obj: 'mug 13' }],
    ['put {obj} in/on {recep}', 'put mug 1 in/on cabinet 1', { obj: 'mug 1', recep: 'cabinet 1' }],
    ['toggle {obj}/{recep}', 'toggle mug 1', { 'obj}/{recep': 'mug 1' }],
    ['{obj} now', 'mug 1 now', { obj: 'mug 1' }],
    ['look', 'look', {}],
    ['use {__proto__}', 'use __proto__', Object.fromEntries([['__proto__', '__proto__']])],
  ])('%s reads and writes %s', (template, text, filling) => {
    expect(readForm(template, text, isName)).toEqual(filling)
    expect(readForm(template, text)).toEqual(filling)
    expect(printForm(template, filling)).toBe(text)
  })

  it.each([
    ['go to {recep}', 'go to '],
    ['go to {recep}', 'Go to cabinet 1'],
    ['look', 'look around'],
    ['take {obj} from {recep}', 'take from cabinet 1'],
    ['{obj}{recep}', 'mug 1cabinet 1'],
    ['swap {obj} with {obj}', 'swap mug 1 with mug 13'],
    ['ab {obj} b', 'ab b'],
    ['wait {n#} turns', 'wait ten turns'],
  ])('%s does not read %s', (template, text) => {
    expect(readForm(template, text)).toBeUndefined()
  })

  it('divides a text so that every slot contains a name, if possible', () => {
    const template = 'take {obj} from {recep}'
    const text = 'take pen from desk 1 from cabinet 1'
    expect(readForm(template, text, isName)).toEqual({ obj: 'pen from desk 1', recep: 'cabinet 1' })
    expect(readForm(template, text)).toEqual({ obj: 'pen', recep: 'desk 1 from cabinet 1' })
  })

  it('reads what it wrote, for any names and any words between them', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/)
    const name = fc.stringMatching(/^[A-Z]{1,4}( [0-9]{1,2})?$/)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 4, maxLength: 4 }),
        (words, values) => {
          const template = words.map((one, index) => `${one} {s${String(index)}}`).join(' ')
          const filling = Object.fromEntries(words.map((_, index) => [`s${String(index)}`, values[index]!]))
          const text = printForm(template, filling)
          expect(readForm(template, text, (value) => values.includes(value), 20)).toEqual(filling)
          expect(readForm(template, text)).toEqual(filling)
        },
      ),
    )
  })

  it('reads a very long text quickly', () => {
    const texts = [' from a'.repeat(150_000), ' '.repeat(1_000_000), ' b c d'.repeat(150_000)].map(
      (text) => `take x${text}`,
    )
    const started = performance.now()
    for (const text of texts) {
      for (const template of ['take {obj} from {recep}', 'take {a} b {b} c {c} d {d} e']) {
        readForm(template, text)
        readForm(template, text, isName, 20)
      }
    }
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
