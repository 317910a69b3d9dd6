import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { Environment, Perturbation, Turn, World } from '../../src/index.js'
import { createRandom, perturb } from '../../src/index.js'
import { syncWorld } from '../sync-world.js'

/** A loose variant of a text: each list is cycled through, letter by letter and gap by gap. */
interface Looseness {
  readonly capitals: readonly boolean[]
  readonly gaps: readonly string[]
  readonly ends: readonly [string, string]
}

// BabyAI tolerates any case, and white space at the ends; the PDDL games also extra words between, before and after,
// with or without a full stop.
const blank = fc.stringMatching(/^[ \t]{0,3}$/)
const wordy = fc.constantFrom(' ', '  ', ' the ', ' please, ', ' (my) ', ' now ', '\t', ' "so to say" ', ' it: ', ' 7 ')
const wordyFront = fc.constantFrom('', ' ', 'please ', 'Well: ', 'so. ', '"')
const wordyBack = fc.constantFrom('', ' ', '.', '. ', ' now.', '?', ', and then rest', ' (if you can)')

const looseness = (
  gaps: fc.Arbitrary<readonly string[]>,
  front: fc.Arbitrary<string>,
  back: fc.Arbitrary<string>,
): fc.Arbitrary<Looseness> =>
  fc.record({ capitals: fc.array(fc.boolean(), { minLength: 1 }), gaps, ends: fc.tuple(front, back) })

function say(text: string, { capitals, gaps, ends }: Looseness): string {
  let gap = 0
  const words = text.replace(/\.? *$/, '').replace(/ /g, () => gaps[gap++ % gaps.length]!)
  const letters = [...words].map((letter, index) =>
    capitals[index % capitals.length] ? letter.toUpperCase() : letter.toLowerCase(),
  )
  return ends[0] + letters.join('') + ends[1]
}

interface Case {
  readonly environment: Environment
  readonly manners: fc.Arbitrary<Looseness>
  /** Commands that must be written exactly. */
  readonly stiff: readonly string[]
}

const cases: Readonly<Record<'babyai' | 'pddl', Case>> = {
  babyai: {
    environment: await openEnvironment('babyai', {}),
    manners: looseness(fc.constant([' ']), blank, blank),
    stiff: [],
  },
  pddl: {
    environment: await openEnvironment('pddl', {}),
    manners: looseness(fc.array(wordy, { minLength: 1 }), wordyFront, wordyBack),
    stiff: ['look around'],
  },
}
const ofKind = (kind: string): readonly Perturbation[] =>
  perturbations.filter(({ name }) => name.startsWith(`${kind}-`))

/** The same episode twice, after the given number of steps of its solution. */
async function beginTwice(environment: Environment, perturbation: Perturbation, task: number, steps: number) {
  const { tasks } = environment
  const begin = async (one: Environment): Promise<World> =>
    one.begin(tasks[task % tasks.length]!, createRandom('loosely'))
  const [clean, perturbed] = [await begin(environment), await begin(perturb(environment, [{ perturbation }]))]
  const solution = syncWorld(clean).solve() ?? []
  for (const command of solution.slice(0, steps % Math.max(1, solution.length))) {
    const action = syncWorld(perturbed).admissible()[syncWorld(clean).admissible().indexOf(command)]!
    await clean.step(command)
    await perturbed.step(action)
  }
  return { clean, perturbed }
}

const outcome = ({ original, progress, understood, ended }: Turn) => ({ original, progress, understood, ended })

describe.each(['babyai', 'pddl'] as const)('a loosely written action of %s', (kind) => {
  const { environment, manners: loose, stiff } = cases[kind]
  it.each(ofKind(kind).map((one) => [one.name, one] as const))(
    'is refused in the old wording and understood in the new under %s',
    async (_, perturbation) => {
      await fc.assert(
        fc.asyncProperty(loose, fc.nat(1000), fc.nat(40), fc.nat(1000), async (way, task, steps, pick) => {
          const { clean, perturbed } = await beginTwice(environment, perturbation, task, steps)
          const pairs = syncWorld(clean)
            .admissible()
            .map((old, index) => ({ old, fresh: syncWorld(perturbed).admissible()[index]! }))
          const spoken = pairs.filter(({ old }) => !stiff.includes(old))
          // Reworded actions are drawn more often than by their share.
          const reworded = spoken.filter(({ old, fresh }) => old !== fresh)
          const { old, fresh } =
            pick % 4 > 0 && reworded.length > 0 ? reworded[pick % reworded.length]! : spoken[pick % spoken.length]!
          const [asOld, asFresh] = [say(old, way), say(fresh, way)]
          expect(syncWorld(clean).understands(asOld)).toBe(true)
          if (old !== fresh) {
            expect(syncWorld(perturbed).understands(asOld)).toBe(false)
            const refused = await clean.refuse(asOld)
            const turn = await perturbed.step(asOld)
            expect(outcome(turn)).toEqual(outcome(refused))
            expect(turn).toMatchObject({ understood: false, memorised: true, command: undefined })
          }
          expect(syncWorld(perturbed).understands(asFresh)).toBe(true)
          expect(outcome(await perturbed.step(asFresh))).toEqual(outcome(await clean.step(asOld)))
          expect(syncWorld(perturbed).admissible()).toHaveLength(syncWorld(clean).admissible().length)
        }),
        { numRuns: 40 },
      )
    },
  )
})
