import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { usedIn } from '../../src/core/perturbation.js'
import { parseColumn, placeColumn } from '../../src/run/columns.js'

/** A fixed few, so that messages that list known names do not change when one is added. */
const few = perturbations.filter(({ name }) => /^(?:placebo|agentrefine-\d|alfworld-2024)$/.test(name))

describe('a column', () => {
  it.each([
    ['none', 'none'],
    [' none ', 'none'],
    ['agentrefine-2', 'agentrefine-2'],
    ['agentrefine-2+agentrefine-4', 'agentrefine-2+agentrefine-4'],
    ['agentrefine-4 + agentrefine-2', 'agentrefine-4+agentrefine-2'],
    ['agentrefine-4:intensity=0.50', 'agentrefine-4:intensity=0.5'],
    ['agentrefine-4:intensity=.5:scope=examples/instruction', 'agentrefine-4:scope=instruction/examples:intensity=0.5'],
    ['agentrefine-4:mode=alias:scope=examples', 'agentrefine-4:mode=alias:scope=examples'],
    ['agentrefine-4:mode=replace', 'agentrefine-4'],
    ['placebo+agentrefine-4:mode=alias', 'placebo+agentrefine-4:mode=alias'],
    ['agentrefine-4:refuse=false:intensity=0', 'agentrefine-4:intensity=0:refuse=false'],
    ['agentrefine-4:intensity=1.0:refuse=true:scope=admissible/examples/instruction/observations', 'agentrefine-4'],
    ['agentrefine-1:scope=examples/examples+placebo', 'agentrefine-1:scope=examples+placebo'],
  ])('%j has the label %s, which is read back as the same column', (text, label) => {
    const column = parseColumn(text, perturbations)
    expect(column.label).toBe(label)
    expect(parseColumn(label, perturbations)).toEqual(column)
  })

  it('keeps its options, in order, nearest the environment first', () => {
    const { applied } = parseColumn(
      'agentrefine-4:scope=examples:intensity=0.25:refuse=false+agentrefine-2',
      perturbations,
    )
    expect(applied).toEqual([
      {
        perturbation: perturbations.find(({ name }) => name === 'agentrefine-4'),
        scope: ['examples'],
        intensity: 0.25,
        refuse: false,
      },
      { perturbation: perturbations.find(({ name }) => name === 'agentrefine-2') },
    ])
    expect(parseColumn('none', perturbations).applied).toEqual([])
  })

  it('explains in one sentence what cannot be read', () => {
    const messages = [
      '',
      'agentrefin-2',
      'agentrefine-2++placebo',
      'none+placebo',
      'none:refuse=false',
      'placebo+placebo',
      'agentrefine-4:intesity=1',
      'agentrefine-4:refuse',
      'agentrefine-4:refuse=no',
      'agentrefine-4:intensity=2',
      'agentrefine-4:intensity=',
      'agentrefine-4:intensity=0.1:intensity=0.2',
      'agentrefine-2:intensity=0.5',
      'agentrefine-2:scope=exampels',
      'agentrefine-2:scope=',
      '__proto__',
      'agentrefine-5',
    ].map((text) => {
      try {
        return parseColumn(text, few).label
      } catch (thrown) {
        expect(thrown).toMatchObject({ name: 'ShaketableError', code: 'usage' })
        return (thrown as Error).message
      }
    })
    expect(messages.join('\n')).toMatchInlineSnapshot(`
      "Expected a perturbation such as agentrefine-1, several as in agentrefine-1+agentrefine-4, or none, got ''.
      Unknown perturbation 'agentrefin-2'. Did you mean 'agentrefine-2'? Known: none, placebo, agentrefine-1, agentrefine-2, agentrefine-3, agentrefine-4, alfworld-2024.
      Expected a perturbation such as agentrefine-1, several as in agentrefine-1+agentrefine-4, or none, got 'agentrefine-2++placebo'.
      'none' stands alone and takes no options, got 'none+placebo'. Leave it out.
      'none' stands alone and takes no options, got 'none:refuse=false'. Leave it out.
      'placebo' stands twice in 'placebo+placebo'. Name each perturbation of a column once.
      'agentrefine-4' has no option 'intesity=1'. Did you mean 'intensity'? It takes 'scope=instruction/examples', 'intensity=0.5', 'mode=alias', 'refuse=false', 'environment=household/pddl'.
      'agentrefine-4' has no option 'refuse'. It takes 'scope=instruction/examples', 'intensity=0.5', 'mode=alias', 'refuse=false', 'environment=household/pddl'.
      The option 'refuse' of 'agentrefine-4' takes true or false (whether the old wording is refused), got 'no'.
      The option 'intensity' of 'agentrefine-4' takes a number from 0 to 1, got '2'.
      The option 'intensity' of 'agentrefine-4' takes a number from 0 to 1, got ''.
      The option 'intensity' of 'agentrefine-4' is given twice in 'agentrefine-4:intensity=0.1:intensity=0.2'.
      'agentrefine-2' is all or nothing: it takes no 'intensity', got '0.5'.
      The option 'scope' of 'agentrefine-2' takes parts of a conversation with / between them. Unknown part 'exampels'. Did you mean 'examples'? Known: instruction, examples, observations, admissible.
      The option 'scope' of 'agentrefine-2' takes parts of a conversation with / between them. Unknown part ''. Known: instruction, examples, observations, admissible.
      Unknown perturbation '__proto__'. Known: none, placebo, agentrefine-1, agentrefine-2, agentrefine-3, agentrefine-4, alfworld-2024.
      'agentrefine-5' is a data filter: it changes the training data, not the environment. Use it with shaketable data filter-ind --filter, train a model on the filtered data, and name that model as withoutInDomain of the other."
    `)
  })

  it.each([
    ['agentrefine-4:mode=both', "The option 'mode' of 'agentrefine-4' takes replace or alias, got 'both'."],
    [
      'agentrefine-4:mode=alias:refuse=false',
      "'agentrefine-4' accepts both wordings in mode alias. Leave 'refuse' out",
    ],
    [
      'agentrefine-4:mode=alias+placebo',
      "must come last, so that both of its wordings are shown side by side. Write 'placebo+agentrefine-4:mode=alias'.",
    ],
    ['agentrefine-4:mode=alias+agentrefine-2:mode=alias', "'agentrefine-4' and 'agentrefine-2' are both in mode alias"],
  ])('refuses %j in mode alias with a reason', (text, reason) => {
    expect(() => parseColumn(text, perturbations)).toThrow(reason)
  })

  it('may have one in mode alias for each environment', () => {
    const label = 'agentrefine-4:mode=alias+babyai-5:mode=alias'
    expect(parseColumn(label, perturbations).label).toBe(label)
  })

  it('keeps a message short for any input', () => {
    const endless = 'x'.repeat(100_000)
    for (const text of [
      endless,
      `placebo+${endless}`,
      `placebo:${endless}`,
      `placebo:scope=${endless}`,
      `agentrefine-4:intensity=${endless}`,
    ]) {
      expect(() => parseColumn(text, perturbations)).toThrow(/^.{1,1500}$/s)
    }
  })
})

describe('a column in several environments', () => {
  const all = ['household', 'babyai', 'pddl']
  const placed = (text: string, environments: readonly string[]) =>
    placeColumn(parseColumn(text, perturbations), environments, perturbations).applied.map(
      ({ perturbation: { name }, environments }) => `${name}${environments ? ` in ${environments.join(' ')}` : ''}`,
    )

  it.each<[string, readonly string[], readonly string[]]>([
    ['none', all, []],
    ['placebo', all, ['placebo']],
    ['agentrefine-1', ['household'], ['agentrefine-1']],
    ['agentrefine-1', ['babyai'], ['babyai-1']],
    ['agentrefine-1', all, ['agentrefine-1 in household', 'babyai-1 in babyai', 'pddl-1 in pddl']],
    [
      'pddl-4+agentrefine-2',
      ['household', 'pddl'],
      ['agentrefine-4 in household', 'pddl-4 in pddl', 'agentrefine-2 in household', 'pddl-2 in pddl'],
    ],
    ['alfworld-2024+babyai-5', ['household', 'babyai'], ['alfworld-2024 in household', 'babyai-5 in babyai']],
    // A perturbation that is made for one environment is played there, and once.
    [
      'agentrefine-1+babyai-1+placebo',
      ['household', 'babyai'],
      ['agentrefine-1 in household', 'babyai-1 in babyai', 'placebo'],
    ],
    ['agentrefine-1+pddl-1', ['babyai'], ['babyai-1']],
  ])('%s on %j', (text, environments, expected) => {
    expect(placed(text, environments)).toEqual(expected)
  })

  it.each([
    [
      'alfworld-2024',
      "'alfworld-2024' is made for household and would change nothing in babyai and pddl. Play it there alone (alfworld-2024:environment=household), or add one that is made for babyai and pddl, as in 'alfworld-2024+NAME'.",
    ],
    [
      'agentrefine-4:intensity=0.5',
      "'agentrefine-4:intensity=0.5': in babyai 'babyai-4' takes the place of 'agentrefine-4', and it is all or nothing. Leave 'intensity' out, or play babyai apart.",
    ],
  ])('%s is refused on all three', (text, message) => {
    expect(() => placed(text, all)).toThrow(message)
  })

  it('gives each environment the perturbations made for it', () => {
    const { applied } = placeColumn(parseColumn('agentrefine-4+placebo', perturbations), all, perturbations)
    expect(all.map((name) => usedIn(applied, name).map(({ perturbation }) => perturbation.name))).toEqual([
      ['agentrefine-4', 'placebo'],
      ['babyai-4', 'placebo'],
      ['pddl-4', 'placebo'],
    ])
  })

  it('has at most one counterpart of each perturbation in each environment', () => {
    const parts = perturbations.map(
      ({ name, environment, counterpartOf }) => `${environment ?? ''} ${counterpartOf ?? name}`,
    )
    expect(new Set(parts).size).toBe(parts.length)
    for (const { environment, counterpartOf } of perturbations) {
      if (counterpartOf === undefined) continue
      expect(environment).toBeDefined()
      expect(perturbations.map(({ name }) => name)).toContain(counterpartOf)
    }
  })
})
