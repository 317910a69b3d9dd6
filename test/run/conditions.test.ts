import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { parseCondition, placeCondition } from '../../src/run/conditions.js'

describe('a condition', () => {
  it.each([
    ['agentrefine-2+agentrefine-4', 'agentrefine-2+agentrefine-4'],
    ['agentrefine-4:intensity=0.50', 'agentrefine-4:intensity=0.5'],
    ['agentrefine-4:intensity=.5:scope=examples/instruction', 'agentrefine-4:scope=instruction/examples:intensity=0.5'],
    ['agentrefine-4:mode=alias:scope=examples', 'agentrefine-4:mode=alias:scope=examples'],
    ['placebo+agentrefine-4:mode=alias', 'placebo+agentrefine-4:mode=alias'],
    ['agentrefine-4:refuse=false:intensity=0', 'agentrefine-4:intensity=0:refuse=false'],
    ['agentrefine-4:intensity=1.0:refuse=true:scope=admissible/examples/instruction/observations', 'agentrefine-4'],
  ])('%j has the label %s, which is read back as the same condition', (text, label) => {
    const condition = parseCondition(text, perturbations)
    expect(condition.label).toBe(label)
    expect(parseCondition(label, perturbations)).toEqual(condition)
  })

  it.each([
    ['', 'Expected a perturbation such as agentrefine-1'],
    ['agentrefine-2++placebo', "got 'agentrefine-2++placebo'"],
    ['agentrefin-2', "Unknown perturbation 'agentrefin-2'. Did you mean 'agentrefine-2'?"],
    ['none+placebo', "'none' stands alone"],
    ['placebo+placebo', "'placebo' stands twice"],
    ['agentrefine-4:intesity=1', "has no option 'intesity=1'. Did you mean 'intensity'?"],
    ['agentrefine-4:refuse', "has no option 'refuse'"],
    ['agentrefine-4:refuse=no', "takes true or false (whether the old wording is refused), got 'no'"],
    ['agentrefine-4:intensity=2', "takes a number from 0 to 1, got '2'"],
    ['agentrefine-4:intensity=0.1:intensity=0.2', 'is given twice'],
    ['agentrefine-2:intensity=0.5', "'agentrefine-2' is all or nothing: it takes no 'intensity'"],
    ['agentrefine-2:scope=exampels', "Unknown part 'exampels'. Did you mean 'examples'?"],
    ['agentrefine-5', "'agentrefine-5' is a data filter"],
    ['agentrefine-4:mode=both', "takes replace or alias, got 'both'"],
    ['agentrefine-4:mode=alias:refuse=false', "accepts both wordings in mode alias. Leave 'refuse' out"],
    ['agentrefine-4:mode=alias+placebo', 'must come last, so that both of its wordings are shown side by side'],
    ['agentrefine-4:mode=alias+agentrefine-2:mode=alias', 'or two conditions where several are in mode alias'],
  ])('is refused with a reason: %j', (text, reason) => {
    expect(() => parseCondition(text, perturbations)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(reason) as string }) as Error,
    )
  })

  it.each(['', 'placebo+', 'placebo:', 'placebo:scope=', 'agentrefine-4:intensity='])(
    'keeps a message short for any input after %j',
    (before) => {
      expect(() => parseCondition(before + 'x'.repeat(100_000), perturbations)).toThrow(/^.{1,1500}$/s)
    },
  )
})

describe('a condition in several environments', () => {
  const all = ['household', 'babyai', 'pddl']
  const placed = (text: string, environments: readonly string[]) =>
    placeCondition(
      parseCondition(text, perturbations),
      environments.map((name) => ({ name })),
      perturbations,
    ).applied.map(
      ({ perturbation: { name }, environments }) => `${name}${environments ? ` in ${environments.join(' ')}` : ''}`,
    )

  it.each<[string, readonly string[], readonly string[]]>([
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
  ])('%s on %j', (text, environments, expected) => {
    expect(placed(text, environments)).toEqual(expected)
  })

  it.each([
    ['alfworld-2024', "'alfworld-2024' is made for household and would change nothing in babyai and pddl."],
    [
      'agentrefine-4:intensity=0.5',
      "in babyai 'babyai-4' takes the place of 'agentrefine-4', and it is all or nothing.",
    ],
  ])('%s is refused on all three', (text, message) => {
    expect(() => placed(text, all)).toThrow(message)
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
