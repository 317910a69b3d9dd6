import type { Scene, Vocabulary } from 'shaketable'
import { ShaketableError } from 'shaketable'
import { babyai } from './babyai.js'
import { household } from './household.js'

const shipped: Readonly<Record<string, Vocabulary>> = { household, babyai }

/**
 * What the vocabulary of the scene's environment has under a field: its own, or the one that ships for it or for the
 * environment whose actions it has.
 * @throws ShaketableError `perturbation` where there is none
 */
export function wordsOf<Field extends keyof Vocabulary>(
  family: string,
  field: Field,
  { environment }: Scene,
): NonNullable<Vocabulary[Field]> {
  const { name = 'unknown', speaks = name, vocabulary } = environment ?? {}
  const found = [vocabulary, shipped[name], shipped[speaks]].find((one) => one?.[field] !== undefined)?.[field]
  if (found !== undefined) return found
  throw new ShaketableError(
    'perturbation',
    `'${family}' needs a vocabulary with '${field}', but the environment '${name}' has none. Those that have one: ${Object.keys(shipped).join(', ')}. Give defineEnvironment() a 'vocabulary', or choose a family that needs none (shaketable list).`,
  )
}
