import { type EnvironmentCard, type Scene, type Vocabulary, NotApplicable, vocabularySchema } from '../../src/define.js'
import { packagedData } from '../../src/files/packaged.js'

const fromFile = (name: string): (() => Vocabulary) =>
  packagedData(`perturbations/vocabulary/${name}.yaml`, vocabularySchema)

/** The vocabularies that ship, by the names of their environments; each is read when it is first asked for. */
export const vocabularies = {
  household: fromFile('household'),
  babyai: fromFile('babyai'),
  pddl: fromFile('pddl'),
  scienceworld: fromFile('scienceworld'),
  jericho: fromFile('jericho'),
  hotpotqa: fromFile('hotpotqa'),
  scripted: fromFile('scripted'),
}
const shipped: Readonly<Record<string, () => Vocabulary>> = vocabularies

/**
 * What the vocabulary of the scene's environment has under a field: its own, or the one that ships for it.
 * @throws NotApplicable where there is none
 */
export function wordsOf<Field extends keyof Vocabulary>(
  family: string,
  field: Field,
  { environment }: Scene,
): NonNullable<Vocabulary[Field]> {
  const words = findWords(field, environment)
  if (words !== undefined) return words
  const { name = 'unknown' } = environment ?? {}
  const having = Object.keys(shipped).filter((vocabulary) => shipped[vocabulary]!()[field] !== undefined)
  throw new NotApplicable(
    family,
    `needs a vocabulary with '${field}', but the environment '${name}' has none. Those that have one: ${having.join(', ')}. Give defineEnvironment() a 'vocabulary', or choose a family that needs none (shaketable list).`,
  )
}

/** What the vocabulary of an environment has under a field; undefined where it has nothing. */
export function findWords<Field extends keyof Vocabulary>(
  field: Field,
  environment: EnvironmentCard | undefined,
): Vocabulary[Field] | undefined {
  return vocabulariesOf(environment).find((vocabulary) => vocabulary[field] !== undefined)?.[field]
}

/** The vocabularies that hold for an environment, its own first. */
function vocabulariesOf({ name = '', vocabulary }: Partial<EnvironmentCard> = {}): readonly Vocabulary[] {
  return [vocabulary as Vocabulary | undefined, shipped[name]?.()].filter((candidate) => candidate !== undefined)
}

/** All words that hold for an environment. */
export function vocabularyOf(environment: EnvironmentCard): Vocabulary {
  return Object.assign({}, ...[...vocabulariesOf(environment)].reverse()) as Vocabulary
}
