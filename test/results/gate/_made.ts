import type { Random } from '../../../src/core/random.js'
import type { OutcomeCell, Outcomes, Panel } from '../../../src/results/compare/outcomes.js'
import type { Baseline } from '../../../src/results/gate/baseline-file.js'
import type { Rule } from '../../../src/results/gate/check.js'

/** Outcomes by task and temperature: a text with `1`, `0` or `x` for each seed. */
export type Vectors = readonly (readonly string[])[]

/** Names of a made cell. Defaults: household, reader, act and none. */
type Names = Partial<Pick<OutcomeCell, 'environment' | 'model' | 'agent' | 'condition' | 'perturbations' | 'unchanged'>>

/**
 * A cell with the outcomes `vectors[task][temperature]`, and the progress of success. The first `broken[task]` of a
 * task's episodes without a measurement broke. `sameAs` has for each pass the seed whose play it is; -1: not planned.
 */
export function madeCells(
  vectors: Vectors,
  given: Names & { readonly broken?: readonly number[]; readonly sameAs?: readonly number[] } = {},
): [OutcomeCell] {
  const [temperatures, seeds] = [vectors[0]!.length, vectors[0]![0]!.length]
  const {
    sameAs = Array.from({ length: temperatures * seeds }, (_, pass) => pass % seeds),
    broken = [],
    ...names
  } = given
  const left = [...broken]
  const signs = sameAs.flatMap((_, pass) =>
    vectors.map((groups, task) => {
      const sign = groups[Math.floor(pass / seeds)]![pass % seeds]!
      return sign === 'x' && (left[task] ?? 0) > 0 && left[task]!-- > 0 ? 'b' : sign
    }),
  )
  const played = {
    shape: { temperatures, seeds, tasks: vectors.length },
    state: Uint8Array.from(signs, (sign) => (sign === 'x' ? 0 : sign === 'b' ? 1 : 2)),
    success: Uint8Array.from(signs, (sign) => Number(sign === '1')),
    progress: Float64Array.from(signs, (sign) => Number(sign === '1')),
    planned: Uint8Array.from(sameAs, (seed) => Number(seed >= 0)),
    sameAs: Uint32Array.from(sameAs, (seed, pass) => (seed >= 0 ? seed : pass % seeds)),
  }
  const places = (length: number): number[] => Array.from({ length }, (_, place) => place)
  return [
    {
      ...{ environment: 'household', model: 'reader', agent: 'act', condition: 'none', perturbations: 'c'.repeat(12) },
      ...{ temperatures: places(temperatures), seeds: places(seeds), played, unchanged: false, ...names },
    },
  ]
}

export function madePanel(tasks: number, given: Partial<Panel> = {}): Panel {
  return {
    environment: 'household',
    version: '1',
    hash: `${String(tasks).padStart(4, '0')}0123456789abcdef`,
    settings: 'settings',
    tasks: Array.from({ length: tasks }, (_, task) => ({ id: `task-${String(task)}`, kind: 'kind', hash: 'content' })),
    ...given,
  }
}

export function madeOutcomes(cells: readonly OutcomeCell[], given: Partial<Outcomes> = {}): Outcomes {
  const environments = [...new Set(cells.map(({ environment }) => environment))]
  const named = (kind: 'model' | 'agent', sign: string) =>
    [...new Set(cells.map((cell) => cell[kind]))].map((name) => ({ name, hash: sign.repeat(12) }))
  return {
    source: 'runs/made',
    version: '0.1.0',
    settings: { stepLimit: 30, maxTokens: 100, models: named('model', 'a'), agents: named('agent', 'b') },
    panels: environments.map((environment) =>
      madePanel(cells.find((cell) => cell.environment === environment)!.played.shape.tasks, { environment }),
    ),
    cells,
    notes: [],
    ...given,
  }
}

export function madeBaseline(outcomes: Outcomes): Baseline {
  return {
    outcomes: { ...outcomes, source: 'baselines/made.json' },
    history: [{ version: '0.1.0', plan: '0123456789ab', why: 'first' }],
  }
}

export const defaultRule: Rule = { metric: 'success', margin: 0.05, alpha: 0.05, minCoverage: 0.9 }

/** `count` tasks with one temperature: the first `solved` of them solved at every seed. */
export function solving(count: number, solved: number, seeds = 1): Vectors {
  return Array.from({ length: count }, (_, task) => [(task < solved ? '1' : '0').repeat(seeds)])
}

/** Outcomes of one task with this probability of success, a sign for each seed. */
export function drawSigns(probability: number, seeds: number, random: Random): string {
  return Array.from({ length: seeds }, () => (random.next() < probability ? '1' : '0')).join('')
}
