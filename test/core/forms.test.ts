import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Lens, createNameFinder, printForm, readForm, rewordActions } from '../../src/index.js'
import { createTranslator } from '../../src/core/translate.js'
import { toyForms, toyNames } from '../toy-environment.js'

const names = ['mug 1', 'mug 13', 'cabinet 1', 'cabinet 13', '__proto__', 'pen from desk 1']
const isName = (value: string): boolean => names.includes(value)

it.each([
  ['go to {recep}', 'go to cabinet 13', { recep: 'cabinet 13' }],
  ['from {recep} take {obj}', 'from cabinet 1 take mug 13', { recep: 'cabinet 1', obj: 'mug 13' }],
  ['put {obj} in/on {recep}', 'put mug 1 in/on cabinet 1', { obj: 'mug 1', recep: 'cabinet 1' }],
  ['toggle {obj}/{recep}', 'toggle mug 1', { 'obj}/{recep': 'mug 1' }],
  ['{obj} now', 'mug 1 now', { obj: 'mug 1' }],
  ['look', 'look', {}],
  ['use {__proto__}', 'use __proto__', Object.fromEntries([['__proto__', '__proto__']])],
])('an action form %s reads and writes %s', (template, text, filling) => {
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
])('an action form %s does not read %s', (template, text) => {
  expect(readForm(template, text)).toBeUndefined()
})

it('an action form divides a text so that every slot contains a name, if possible', () => {
  const template = 'take {obj} from {recep}'
  const text = 'take pen from desk 1 from cabinet 1'
  expect(readForm(template, text, isName)).toEqual({ obj: 'pen from desk 1', recep: 'cabinet 1' })
  expect(readForm(template, text)).toEqual({ obj: 'pen', recep: 'desk 1 from cabinet 1' })
})

it('an action form reads a very long text quickly', () => {
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

const mark = (name: string): string => `<${name}>`

it.each([
  [['drawer 1', 'drawer 10'], 'a drawer 1, a drawer 10, a drawer 11.', 'a <drawer 1>, a <drawer 10>, a drawer 11.'],
  [['bed', 'bed 1', 'bed 1 leg'], 'bed 1 leg, bed 1s, bed 1, beds', '<bed 1 leg>, <bed> 1s, <bed 1>, beds'],
  [['mug 1'], 'mug 1.5 (mug 1) “mug 1” mug 1… mug_1', '<mug 1>.5 (<mug 1>) “<mug 1>” <mug 1>… mug_1'],
  [['é 1', 'Tür 2', '抽屉 3'], 'é 1, Tür 2, 抽屉 3; 开抽屉 3', '<é 1>, <Tür 2>, <抽屉 3>; 开抽屉 3'],
  [['[box]', '#1', 'a+b'], '[box]x [box #1 #12 a+b a+bc', '<[box]>x [box <#1> #12 <a+b> a+bc'],
  [['__proto__', 'constructor'], 'a __proto__, constructor, toString', 'a <__proto__>, <constructor>, toString'],
  [['', 'x'], 'x y', '<x> y'],
])('a name finder %j in %s', (names, text, expected) => {
  expect(createNameFinder(names).replace(text, mark)).toBe(expected)
})

const forms = [
  ...toyForms('old'),
  { template: 'toggle {obj}/{recep}', meaning: '' },
  { template: 'say {words}', meaning: '' },
]

/** Any lens that gives forms and names new, unambiguous words. */
const lens: fc.Arbitrary<Lens> = fc
  .record({
    words: fc.uniqueArray(fc.stringMatching(/^[a-zé]{1,8}$/), { minLength: forms.length, maxLength: forms.length }),
    reworded: fc.array(fc.boolean(), { minLength: forms.length, maxLength: forms.length }),
    turned: fc.boolean(),
    rename: fc.constantFrom(
      (name: string) => name,
      (name: string) => name.replace(' ', ''),
      (name: string) => `<${name}>`,
      (name: string) => `${name} of the house`,
      (name: string) => name.split(' ').reverse().join(' '),
      (name: string) => `Z${name.toUpperCase()}`,
    ),
  })
  .map(({ words, reworded, turned, rename }) => ({
    form(template) {
      const index = forms.findIndex((form) => form.template === template)
      if (index === -1 || !reworded[index]) return template
      const slots = template.match(/\{[^ ]+\}/g) ?? []
      return ['Q', words[index]!, ...(turned ? slots.reverse() : slots)].join(' ~ ')
    },
    name: rename,
  }))

const filling = fc.record({ obj: fc.constantFrom(...toyNames), recep: fc.constantFrom(...toyNames) })
const form = fc.constantFrom(...forms.map(({ template }) => template))

it('a translator translates every command of every form back, through any lens', () => {
  fc.assert(
    fc.property(lens, form, filling, (lens, template, { obj, recep }) => {
      const translator = createTranslator(lens, forms, toyNames)
      const command = printForm(template, { obj, recep, item: recep, words: 'what you like', 'obj}/{recep': obj })
      const action = translator.command(command)
      expect(translator.toEnvironment(action)).toEqual({ refused: false, command })
      for (const frame of ['|.', ' | ', '| . .']) {
        const framed = translator.toEnvironment(frame.replace('|', () => action))
        expect(framed).toEqual({ refused: false, command: frame.replace('|', () => command) })
      }
      if (action !== command) expect(translator.toEnvironment(command)).toEqual({ refused: true, command })
    }),
    { numRuns: 500 },
  )
})

it('a translator finds every name in prose, and nothing else', () => {
  fc.assert(
    fc.property(
      lens,
      fc.array(fc.constantFrom(...toyNames, '10 turns', 'mug', 'drawer 100', 'xdrawer 1'), { maxLength: 6 }),
      (lens, list) => {
        const translator = createTranslator(lens, forms, toyNames)
        const expected = list.map((name) => (toyNames.includes(name) ? lens.name!(name) : name))
        expect(translator.prose(list.join(', '))).toBe(expected.join(', '))
        const back = translator.toEnvironment(expected.join(', '))
        if (!back.refused) expect(back.command).toBe(list.join(', '))
      },
    ),
  )
})

it('a translator chooses the most specific form if several match', () => {
  const { toEnvironment } = createTranslator(
    rewordActions({ 'go {way}': 'walk {way}' }),
    ['go {way}', 'go through {door}', 'walk away'].map((template) => ({ template, meaning: '' })),
    ['mug 1'],
  )
  expect(toEnvironment('go north')).toEqual({ refused: true, command: 'go north' })
  expect(toEnvironment('walk north')).toEqual({ refused: false, command: 'go north' })
  expect(toEnvironment('go through the red door')).toEqual({ refused: false, command: 'go through the red door' })
  expect(toEnvironment('walk away')).toEqual({ refused: false, command: 'walk away' })
})
