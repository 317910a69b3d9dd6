import { unknownName, usageError } from '../core/errors.js'
import type { Perturbation } from '../core/perturbation.js'
import { checkDraw } from './conditions.js'
import type { GivenExperiment } from './experiment-schema.js'
import { perturbationName } from './registry.js'

/** A set of conditions. Those that have several wordings are played with as many draws as `draws` says. */
interface Suite {
  readonly perturbations: NonNullable<GivenExperiment['perturbations']>
  readonly draws?: number
}

/** The suites that ship, made from the known perturbations. `none` is added to each of them. */
export const suites: Readonly<Record<string, (known: readonly Perturbation[]) => Suite>> = {
  /** Rule-based families of every kind, none of which needs a model to make it, at full intensity; and two controls. */
  core: () => ({
    perturbations: [
      'placebo',
      'synonyms',
      'argument-order',
      'item-style',
      'error-messages',
      'decoy-actions',
      'list-order',
      'list-visibility',
      'action-failures',
      'step-budget',
      'clean-repeats',
    ],
    draws: 3,
  }),
  /** Every family that is made for all environments and may enter an average, at its default options. */
  full: (known) => ({
    perturbations: known
      .filter((perturbation) => perturbation.environment === undefined && !perturbation.adversarial)
      .map(({ name }) => name),
  }),
  /** AgentRefine's first four, and the placebo. */
  agentrefine: () => ({
    perturbations: ['placebo', 'agentrefine-1', 'agentrefine-2', 'agentrefine-3', 'agentrefine-4'],
  }),
}

/** A condition of an experiment as it is written, with one draw, and the place that it came from. */
interface WrittenCondition {
  readonly text: string
  readonly from: readonly PropertyKey[]
  /** Whether it comes from a suite, and is left out where it cannot be used. */
  readonly optional: boolean
}

/**
 * The conditions of a suite and those that are given beside it, one for each draw.
 * @param locate runs a step with the place in which its errors lie
 * @throws ShaketableError `usage` for an unknown suite, or more draws than there are
 */
export function chooseConditions(
  { suite, perturbations = [], draws }: Pick<GivenExperiment, 'suite' | 'perturbations' | 'draws'>,
  known: readonly Perturbation[],
  locate: <T>(path: readonly PropertyKey[], work: () => T) => T,
): readonly WrittenCondition[] {
  const findSuite = (name: string): Suite => {
    if (Object.hasOwn(suites, name)) return suites[name]!(known)
    throw usageError(unknownName('suite', name, Object.keys(suites)))
  }
  const suiteOf = suite === undefined ? undefined : locate(['suite'], () => findSuite(suite))
  const ofSuite = suiteOf?.perturbations ?? []
  const written = [
    ...ofSuite.map((entry) => ({ entry, usual: draws ?? suiteOf?.draws, from: ['suite'], optional: true })),
    ...perturbations.map((entry, at) => ({ entry, usual: draws, from: ['perturbations', at], optional: false })),
  ].flatMap(({ entry, usual, from, optional }): WrittenCondition[] => {
    const { name, draws: own = usual } = typeof entry === 'string' ? { name: entry } : entry
    return locate(from, () => expandDraws(name, known, own)).map((text) => ({ text, from, optional }))
  })
  const given = new Set(written.flatMap(({ text, optional }) => (optional ? [] : [text])))
  const all = written.filter(({ text, optional }) => !optional || !given.has(text))
  return all.some(({ text }) => text.trim() === 'none') ? all : [{ text: 'none', from: [], optional: false }, ...all]
}

/**
 * The conditions of a text: with `draws`, a perturbation without a draw of its own is played with draws 1 to `draws`,
 * if it has several wordings. The draws of a stack go together: the second condition has the second draw of each.
 * @throws ShaketableError `usage` for more draws than there are, with how many there are
 */
function expandDraws(text: string, known: readonly Perturbation[], draws = 1): readonly string[] {
  const parts = text.split('+').map((part) => part.trim())
  const drawn = parts.filter((part) => {
    const name = perturbationName(part.split(':')[0]!.trim())
    const perturbation = known.find((candidate) => candidate.name === name)
    if (perturbation === undefined || (perturbation.draws ?? 1) === 1 || /:\s*draw=/.test(part)) return false
    checkDraw(perturbation, draws, String(draws))
    return true
  })
  if (draws === 1 || drawn.length === 0) return [text]
  return Array.from({ length: draws }, (_, place) =>
    parts.map((part) => (drawn.includes(part) ? `${part}:draw=${String(place + 1)}` : part)).join('+'),
  )
}
