import { describe, expect, it } from 'vitest'
import type { AppliedPerturbation, Environment, Perturbation, Task } from '../../src/index.js'
import { createRandom, textOf } from '../../src/index.js'
import { checkLaws } from '../../src/laws/index.js'
import { surveyText } from '../../src/laws/survey.js'
import { syncWorld } from '../sync-world.js'

export interface Sample {
  readonly environment: Environment
  readonly tasks: readonly Task[]
  /** The name of the environment in test titles. */
  readonly label: string
}

/**
 * Every law that perturbations promise, and that nothing of the old wording is shown. Those that are not in `changes`
 * change nothing in this sample, or are refused, as it lacks all action forms that they reword.
 */
export function describePerturbations(perturbations: readonly Perturbation[], sample: Sample, changes: RegExp): void {
  const { environment, tasks, label } = sample
  describe(`the laws in ${label}`, () => {
    it.each(perturbations.map((one) => [one.name, one] as const))('hold under %s', async (name, perturbation) => {
      const seen = await outcomes(sample, [{ perturbation }])
      if (!changes.test(name)) {
        const refused = `opens: The perturbation '${name}' has a rule for '`
        expect(seen.filter((one) => one !== 'unchanged' && !one.startsWith(refused))).toEqual([])
        return
      }
      expect(seen).toEqual(['holds'])
      const { leaks } = await surveyText(environment, tasks, [{ label: '', applied: [{ perturbation }] }], '0')
      expect(leaks).toBe(0)
    })
  })
}

/** The outcomes that occur, without those of laws that do not apply here; a law that fails is given in full. */
export async function outcomes(
  { environment, tasks }: Sample,
  applied: readonly AppliedPerturbation[],
): Promise<readonly string[]> {
  const seen = new Set<string>()
  for (const task of tasks) {
    for (const { law, outcome, detail, evidence } of await checkLaws({ environment, task, applied, seed: '0' })) {
      if (law === 'identity' && outcome === 'holds') continue
      if (outcome === 'fails') seen.add(`${law}: ${detail ?? ''} ${JSON.stringify({ task: task.id, ...evidence })}`)
      else if (outcome !== 'unchecked') seen.add(outcome)
    }
  }
  return [...seen]
}

/** The contract that perturbations, agents and reports rely on in every environment. */
export function describeEnvironment({ environment, tasks, label }: Sample): void {
  describe(`the contract of an environment: ${label}`, () => {
    it('has tasks with different ids, each with a hash', () => {
      const ids = environment.tasks.map(({ id }) => id)
      expect(ids.length).toBeGreaterThan(0)
      expect(new Set(ids).size).toBe(ids.length)
      expect(environment.tasks.every(({ hash, goal }) => hash !== '' && goal !== '')).toBe(true)
    })

    it.each(tasks.map((task) => [task.id, task] as const))('keeps it in %s', async (_, task) => {
      const random = createRandom(task.id)
      const world = await environment.begin(task, random)
      const tidy = (action: string): string => environment.normalise?.(action) ?? action
      const texts = [textOf(world.opening)]
      for (const command of [...((await world.solve?.()) ?? []), ...syncWorld(world).admissible().slice(0, 5)]) {
        const possible = syncWorld(world).admissible()
        expect(possible.filter((one) => tidy(one) !== one || !syncWorld(world).understands(one))).toEqual([])

        const refused = await world.refuse('please do as you are told')
        expect(refused).toMatchObject({ understood: false, command: undefined })
        const nonsense = await world.step('please do as you are told')
        expect(nonsense.understood).toBe(false)
        expect(textOf(nonsense.observation)).toBe(textOf(refused.observation))
        expect(syncWorld(world).admissible()).toEqual(possible)

        if (!possible.includes(command)) continue
        const turn = await world.step(command)
        expect(turn).toMatchObject({ command, understood: true, original: textOf(turn.observation) })
        expect(turn.progress).toBeGreaterThanOrEqual(refused.progress)
        texts.push(turn.original)
        if (turn.ended !== false) {
          expect(turn).toMatchObject({ ended: 'success', progress: 1 })
          break
        }
      }
      expect(unlisted(texts, world.names)).toEqual([])
      for (const { opening, exchanges, names } of world.briefing.examples) {
        const shown = exchanges.flatMap(({ action, observation }) => [action, textOf(observation)])
        expect(unlisted([textOf(opening), ...shown], names)).toEqual([])
      }
    })
  })
}

/**
 * Names of a listed kind, such as `drawer 3`, that occur in text but are not listed: a renaming would leave them
 * unchanged.
 */
function unlisted(texts: readonly string[], names: readonly string[]): readonly string[] {
  const kinds = new Set(names.map((name) => name.replace(/ \d+$/, '')))
  const said = texts.flatMap((text) => text.match(/[a-z]+ \d+/g) ?? [])
  return said.filter((name) => kinds.has(name.replace(/ \d+$/, '')) && !names.includes(name))
}
