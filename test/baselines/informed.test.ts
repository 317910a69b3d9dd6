import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { agents } from '../../src/agents/index.js'
import { type Played, type WorldDefinition, defineEnvironment, rewordActions } from '../../src/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { spreadTasks } from '../../src/environments/spread-tasks.js'
import { roomPerturbations, threeRooms } from '../environments/three-rooms.js'
import { ownPerturbation } from '../own-perturbation.js'
import { control, playAll } from './_play.js'

const outcomes = (played: readonly Played[]): readonly string[] => played.map(({ result }) => result.outcome)
const commands = (played: readonly Played[]) =>
  played.map(({ trajectory }) => trajectory.steps.map(({ action, command = action }) => command))

const home = { babyai: 'babyai-', pddl: 'pddl-', household: 'agentrefine-' }
/** Rewordings that the reader takes from its prompt; the other families may move it. */
const rewordings = perturbations.filter(({ name }) =>
  /^(?:agentrefine|alfworld|babyai|pddl|placebo|symbols|argument-order|item-style)/.test(name),
)
const worlds = [
  ...(['household', 'babyai', 'pddl'] as const).map((name) => ({
    name,
    open: () => openEnvironment(name),
    conditions: rewordings.filter(({ environment }) => environment === undefined || environment === name),
    reworded: perturbations.filter((one) => one.name === `${home[name]}2`),
  })),
  {
    name: 'three-rooms',
    open: async () => threeRooms.open(),
    conditions: [...rewordings.filter((one) => one.environment === undefined), ...roomPerturbations],
    reworded: roomPerturbations.slice(0, 1),
  },
]

describe.each(worlds)('in $name', ({ open, conditions, reworded }) => {
  it('the reader does the same in every condition, mistakes included', async () => {
    const environment = await open()
    const tasks = spreadTasks(environment.tasks).slice(0, 6)
    for (const temperature of [0, 1]) {
      const clean = await playAll(control('reader'), environment, tasks, { temperature })
      if (temperature === 0) expect(new Set(outcomes(clean))).toEqual(new Set(['success']))
      for (const perturbation of conditions) {
        const seen = await playAll(control('reader'), environment, tasks, {
          conditions: [{ perturbation }],
          temperature,
        })
        expect([perturbation.name, commands(seen)]).toEqual([perturbation.name, commands(clean)])
        expect(outcomes(seen)).toEqual(outcomes(clean))
      }
    }
  })

  it.each(agents)('the reader succeeds and the parrot is refused with $name', async (agent) => {
    const environment = await open()
    const tasks = spreadTasks(environment.tasks).slice(0, 4)
    const applied = reworded.map((perturbation) => ({ perturbation }))
    for (const [name, conditions] of [
      ['reader', []],
      ['reader', applied],
      ['parrot', []],
    ] as const) {
      const played = await playAll(control(name), environment, tasks, { agent, conditions })
      expect(outcomes(played)).toEqual(tasks.map(() => 'success'))
      for (const { result } of played) expect(result.measures.formatErrors).toBe(0)
    }
    const lost = await playAll(control('parrot'), environment, tasks, { agent, conditions: applied })
    for (const { result, trajectory } of lost) {
      expect(result.measures.formatErrors).toBe(0)
      if (result.outcome === 'success') continue
      const refused = trajectory.steps.filter(({ understood }) => understood === false)
      expect(refused.length).toBeGreaterThan(0)
      expect(refused.every(({ memorised }) => memorised)).toBe(true)
    }
    expect(outcomes(lost)).toContain('step-limit')
  })
})

const doors: WorldDefinition = {
  opening: 'Two doors.',
  briefing: { forms: { 'open {door}': '', look: '' } },
  names: ['left door', 'right door'],
  step: (action) => ({
    observation: action === 'open right door' ? 'Out!' : 'No.',
    ended: action === 'open right door' && 'success',
  }),
}
const perturbation = ownPerturbation('pull', () => rewordActions({ 'open {door}': 'pull {door}' }))
it.each<[string, Partial<WorldDefinition>]>([
  ['nothing but a step', {}],
  ['admissible actions, later', { admissible: () => Promise.resolve(['look', 'open left door', 'open right door']) }],
  ['a solution alone', { solve: () => Promise.resolve(['open right door']) }],
])(
  'an environment that reports only part with %s: the reader succeeds in its wording, the parrot does not',
  async (_, reported) => {
    const environment = await defineEnvironment({
      name: 'doors',
      tasks: [{ id: 'out', goal: 'get out' }],
      begin: () => ({ ...doors, ...reported }),
    }).open()
    const conditions = [{ perturbation }]
    const [read] = await playAll(control('reader'), environment, environment.tasks, { conditions })
    const [recited] = await playAll(control('parrot'), environment, environment.tasks, { conditions })
    expect([read!.result.outcome, recited!.result.outcome]).toEqual(['success', 'step-limit'])
    const { understood, memorised } = recited!.result.measures
    expect([understood === undefined, memorised === undefined]).toEqual(
      reported.admissible === undefined ? [true, true] : [false, false],
    )
  },
)
