import { describe, expect, it } from 'vitest'
import { parseTemplate } from '../../../src/core/form.js'
import { settings, words } from '../../../src/training/synthesis/settings.js'

describe('the settings', () => {
  it('are many, each with enough places, holders, things and works', () => {
    expect(settings().length).toBeGreaterThanOrEqual(24)
    const small = settings().filter(
      ({ places, surfaces, boxes, things, works }) =>
        places.length < 5 || surfaces.length < 4 || boxes.length < 3 || things.length < 8 || works.length < 5,
    )
    expect(small.map(({ name }) => name)).toEqual([])
  })

  it.each(settings())('$name has no name twice, and none that a condition cannot have', (setting) => {
    const { places, surfaces, boxes, works } = setting
    const fixed = works.flatMap(({ kind, tool }) => (kind === 'at' || kind === 'ready' ? [tool!] : []))
    const carried = works.flatMap(({ kind, tool, things, bases }) =>
      kind === 'ready' ? [] : [...things, ...bases, ...(kind === 'with' ? [tool!] : [])],
    )
    const groups = [places, surfaces, boxes, [...new Set(fixed)], [...new Set([...setting.things, ...carried])]]
    const names = groups.flat()
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
    expect(names.filter((name) => !/^[a-z][a-z'-]*( [a-z'-]+)*$/i.test(name))).toEqual([])
    expect(names.filter((name) => /\b(in|is|at|has|not|player)\b/.test(name))).toEqual([])
  })

  it.each(settings())('$name has works that begin with different words and have their slots', ({ works }) => {
    const verbs = works.map(({ form }) => form.split(' ')[0])
    expect(new Set(verbs).size).toBe(verbs.length)
    for (const { kind, form, choice, state } of works) {
      const wanted = { at: ['thing'], with: ['thing', 'tool'], ready: ['tool'], join: ['thing', 'base'] }[kind]
      const slots = parseTemplate(form).slots.filter((slot) => kind !== 'at' || slot !== 'tool')
      expect([...slots].sort()).toEqual([...wanted, ...(choice ? [choice.slot] : [])].sort())
      expect(choice?.values ?? [state ?? 'none']).toSatisfy((states: readonly string[]) =>
        states.every((one) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(one)),
      )
    }
  })
})

describe('the wordings', () => {
  it.each(Object.entries(words().wordings))('of %s have the same slots and are all different', (_, templates) => {
    const slots = templates.map((template) => [...parseTemplate(template).slots].sort().join(' '))
    expect(new Set(slots).size).toBe(1)
    expect(new Set(templates).size).toBe(templates.length)
  })
})
