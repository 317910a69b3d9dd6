import { describe, expect, it } from 'vitest'
import { summaryIn } from '../../src/run/open-columns.js'

const worldOf = (forms: readonly string[], names: readonly string[] = [], goal = 'g') => ({
  briefing: {
    ...({} as Parameters<typeof summaryIn>[1]['briefing']),
    forms: forms.map((template) => ({ template, meaning: '' })),
    goal,
  },
  names,
})
const verbs = {
  summary: 'words that mean nothing in place of verbs: take {obj} from {recep} → drofel {obj} from {recep}',
}
const items = { summary: 'other common names for items: fridge 1 → refrigerator 1, in goals too' }

describe('the summary of a perturbation in a run', () => {
  const [taking, elsewhere] = [worldOf(['take {obj} from {recep}']), worldOf(['go to {room}', 'take {thing}'])]
  const rooms = worldOf(['go to {room}'], ['hall', 'shed'])
  it.each([
    ['quotes the environment whose wording it has', verbs, taking, undefined, verbs.summary],
    [
      'quotes another environment in its own wording',
      verbs,
      elsewhere,
      worldOf(['go to {room}', 'drofel {thing}']),
      'words that mean nothing in place of verbs: take {thing} → drofel {thing}',
    ],
    [
      'quotes names',
      items,
      rooms,
      worldOf(['go to {room}'], ['hall', 'hut']),
      'other common names for items: shed → hut',
    ],
    ['quotes nothing where no wording is known', items, rooms, undefined, 'other common names for items'],
    [
      'stays where it is made for the environment',
      { ...verbs, environment: 'babyai' },
      elsewhere,
      undefined,
      verbs.summary,
    ],
  ])('%s', (_, perturbation, base, perturbed, expected) => {
    expect(summaryIn(perturbation, base, perturbed)).toBe(expected)
  })
})
