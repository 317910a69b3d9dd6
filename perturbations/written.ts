import { type Perturbation, type Vocabulary, definePerturbation } from '../src/define.js'
import goalParaphrase from './goal-paraphrase.js'
import observationParaphrase from './observation-paraphrase.js'
import synonyms from './synonyms.js'

/** Wordings that a model wrote, and their origin. */
interface WrittenWords {
  readonly name: string
  readonly environment: string
  readonly draws: number
  readonly writer: { readonly model: string }
  readonly words: {
    readonly actions?: Readonly<Record<string, readonly string[]>> | undefined
    readonly goals?: Readonly<Record<string, readonly string[]>> | undefined
    readonly observations?: Readonly<Record<string, readonly string[]>> | undefined
  }
  readonly hash: string
}

/**
 * The perturbations of a file of wordings: the families whose words it has, with these words instead of the shipped.
 */
export function writtenPerturbations(file: WrittenWords): readonly Perturbation[] {
  const { name, environment, draws, writer, words, hash } = file
  const { actions, goals, observations } = words
  const vocabulary: Vocabulary = {
    ...(actions && { actions }),
    ...(goals && { goals: { rules: goals } }),
    ...(observations && { observations }),
  }
  const families = [
    ['actions', synonyms],
    ['goals', goalParaphrase],
    ['observations', observationParaphrase],
  ] as const
  return families.flatMap(([part, family]) =>
    words[part] === undefined
      ? []
      : definePerturbation({
          name: `${name}-${part}`,
          summary: `${part} in the words of ${writer.model.slice(0, 100)} (${hash})`,
          source: `written by ${writer.model.slice(0, 100)}`,
          promise: 'invariant',
          environment,
          graded: family.graded,
          draws,
          // A name of its own keeps its lenses apart from those of the family.
          open: (scene) => family.open({ ...scene, environment: { name: `${name}-${part}`, vocabulary } }),
        }),
  )
}
