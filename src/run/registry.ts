import { baselines } from '../../baselines/index.js'
import { dataFilters, perturbations } from '../../perturbations/index.js'
import { reports } from '../../reports/index.js'
import { agents, findAgent } from '../agents/index.js'
import { unknownName, usageError } from '../core/errors.js'
import { environmentKinds } from '../environments/index.js'
import { laws } from '../laws/index.js'
import { type Kind, type Kinds, definitions } from './definitions.js'

/** A definition and its origin. */
export interface Entered<K extends Kind = Kind> {
  readonly kind: K
  /** The path of a file, or the name of a package, as it was given. */
  readonly path: string
  readonly definition: Kinds[K]
}

/** All definitions by kind: the shipped ones first, then those of plug-ins. */
export interface Registry {
  list<K extends Kind>(kind: K): readonly Kinds[K][]
  /** Those of plug-ins alone. */
  own<K extends Kind>(kind: K): readonly Kinds[K][]
  /**
   * Finds a definition by its name. Names of agents and models may carry options (`parrot:new`), which a model's
   * `create` reads. Perturbations may be named `P1` to `P4`, as in papers.
   * @throws ShaketableError `usage` with the nearest known name
   */
  find<K extends Kind>(kind: K, name: string): Kinds[K]
}

const shippedLists: { readonly [K in Kind]: readonly Kinds[K][] } = {
  environment: environmentKinds,
  lens: perturbations,
  filter: dataFilters,
  model: baselines,
  agent: agents,
  report: reports,
  law: laws,
}

/** Replaces the paper's names of perturbations (`P1+P4`) by the package's own. */
export function perturbationName(text: string): string {
  return text.replace(/(^|\+)\s*p([1-4])(?=\s*(?:[:+]|$))/gi, '$1agentrefine-$2')
}

/** Creates a registry of the shipped definitions and the given ones. */
export function createRegistry(entered: readonly Entered[] = []): Registry {
  const own = <K extends Kind>(kind: K): readonly Kinds[K][] =>
    entered.flatMap((definition) => (definition.kind === kind ? [definition.definition as Kinds[K]] : []))
  const list = <K extends Kind>(kind: K): readonly Kinds[K][] => {
    const given: readonly Kinds[K][] = shippedLists[kind]
    return [...given, ...own(kind)]
  }
  return {
    list,
    own,
    find<K extends Kind>(kind: K, text: string): Kinds[K] {
      if (kind === 'agent') return findAgent(text, own('agent')) as Kinds[K]
      const name = kind === 'model' ? text.split(':')[0]! : kind === 'lens' ? perturbationName(text) : text
      const known = list(kind)
      const match = known.find((candidate) => candidate.name === name)
      if (match !== undefined) return match
      const names = known.map((definition) => definition.name)
      throw usageError(unknownName(definitions[kind].called, text, names))
    },
  }
}

/** The registry of the shipped definitions alone. */
export const shipped = createRegistry()
