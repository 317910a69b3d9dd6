import { describe, expect, it } from 'vitest'
import { environmentFlags } from '../../src/cli/_environment-flags.js'
import { environmentKinds } from '../../src/environments/index.js'
import { optionsFromFlags } from '../../src/run/experiment-flags.js'

const all = environmentKinds.map(({ name }) => name)

describe('options of environments from flags', () => {
  it.each([
    ['household', { data: ['DIR'], labels: ['FILE'] }, ['household', 'babyai'], { data: 'DIR' }],
    ['babyai', { data: ['DIR'], labels: ['FILE'] }, ['household', 'babyai'], { labels: 'FILE' }],
    ['pddl', { data: ['household=A', 'pddl=B'] }, all, { data: 'B' }],
    ['household', { data: ['household=A', 'pddl=B'] }, all, { data: 'A' }],
    ['pddl', { prompt: ['pddl=P', 'Q'] }, all, { prompt: 'P' }],
    ['babyai', { prompt: ['pddl=P', 'Q'] }, ['babyai', 'pddl'], { prompt: 'Q' }],
    ['babyai', { split: ['train'] }, all, { split: 'train' }],
    ['household', { data: ['a=b'] }, ['household'], { data: 'a=b' }],
    ['household', { split: ['train', 'valid-seen'] }, ['household'], { split: 'valid-seen' }],
    // Said to be unknown where it is opened, in the environment's own words.
    ['babyai', { generation: ['old'] }, ['babyai'], { generation: 'old' }],
  ])('give %s of %j, beside %j, %j', (name, flags, names, expected) => {
    expect(optionsFromFlags(name, flags, names)).toEqual(expected)
  })

  it.each([
    [
      { generation: ['old'] },
      ['babyai', 'pddl'],
      '--generation: none of these environments has this option: babyai, pddl.',
    ],
    [
      { data: ['pddl=DIR'] },
      ['household', 'babyai'],
      "--data: 'pddl' is not among the environments: household, babyai.",
    ],
    [
      { data: ['DIR'] },
      ['pddl', 'babyai', 'household'],
      '--data: expected the environment that it is for, since household and pddl have this option. Write --data household=PATH, or play one alone with --env household.',
    ],
  ])('refuse %j for %j', (flags, names, message) => {
    expect(() => optionsFromFlags(names[0]!, flags, names)).toThrow(message)
  })

  it('can be given for every option of every environment, and say whose it is', () => {
    const flags = Object.entries(environmentFlags)
    const options = new Map<string, string[]>()
    for (const { name, options: own } of environmentKinds) {
      for (const key of Object.keys(own)) options.set(key, [...(options.get(key) ?? []), name])
    }
    expect(flags.map(([name]) => name).sort()).toEqual([...options.keys()].sort())
    for (const [name, [, help]] of flags) {
      const told = all.filter((environment) => new RegExp(`\\b${environment}\\b`).test(help))
      if (told.length > 0 || options.get(name)!.length < all.length)
        expect([name, told]).toEqual([name, options.get(name)])
    }
  })
})
