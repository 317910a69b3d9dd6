import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printForm } from '../../src/core/form.js'
import type { Lens } from '../../src/core/perturbation.js'
import { createTranslator } from '../../src/core/translate.js'
import { rewordActions } from '../../src/index.js'
import { toyForms, toyNames } from '../toy-environment.js'

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

describe('a translator', () => {
  it('translates every command of every form back, through any lens', () => {
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

  it('finds every name in prose, and nothing else', () => {
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

  it('chooses the most specific form if several match', () => {
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
})
