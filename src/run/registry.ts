import { baselines } from '../../baselines/index.js'
import { dataFilters, perturbations } from '../../perturbations/index.js'
import { reports } from '../../reports/index.js'
import { agents, findAgent } from '../agents/index.js'
import { ShaketableError, unknownName } from '../core/errors.js'
import { environmentKinds } from '../environments/index.js'
import { laws } from '../laws/index.js'
import type { Kind, Kinds } from './definitions.js'
import { definitions } from './definitions.js'

/** A definition with where it comes from. */
export interface Entered<K extends Kind = Kind> {
  readonly kind: K
  /** The path of a file, or the name of a package, as it was given. */
  readonly path: string
  readonly definition: Kinds[K]
}

/** Everything that can be named: what ships with the package, and behind it what plug-ins brought. */
export interface Registry {
  list<K extends Kind>(kind: K): readonly Kinds[K][]
  /** What plug-ins brought. */
  own<K extends Kind>(kind: K): readonly Kinds[K][]
  /**
   * Finds one by its name. An agent may have options behind its name, a model too (`parrot:new`), which are left to its
   * `create`; perturbations may be named `P1` to `P4`, as papers do.
   * @throws ShaketableError `usage` with the near miss
   */
  find<K extends Kind>(kind: K, name: string): Kinds[K]
}

/** Functions, since modules of the package import its front door, which brings them in again. */
const shippedLists: { readonly [K in Kind]: () => readonly Kinds[K][] } = {
  environment: () => environmentKinds,
  lens: () => perturbations,
  filter: () => dataFilters,
  model: () => baselines,
  agent: () => agents,
  report: () => reports,
  law: () => laws,
}

/** A perturbation or a column of several by the package's names, where it may have the paper's own: `P1+P4`. */
export function perturbationName(text: string): string {
  return text.replace(/(^|\+)\s*p([1-4])(?=\s*(?:[:+]|$))/gi, '$1agentrefine-$2')
}

/** Makes a registry of all that ships with the package, and more. */
export function createRegistry(entered: readonly Entered[] = []): Registry {
  const own = <K extends Kind>(kind: K): readonly Kinds[K][] =>
    entered.flatMap((one) => (one.kind === kind ? [one.definition as Kinds[K]] : []))
  const list = <K extends Kind>(kind: K): readonly Kinds[K][] => [...shippedLists[kind](), ...own(kind)]
  return {
    list,
    own,
    find<K extends Kind>(kind: K, text: string): Kinds[K] {
      if (kind === 'agent') return findAgent(text, own('agent')) as Kinds[K]
      const name = kind === 'model' ? text.split(':')[0]! : kind === 'lens' ? perturbationName(text) : text
      const known = list(kind)
      const found = known.find((one) => one.name === name)
      if (found !== undefined) return found
      const names = known.map((one) => one.name)
      throw new ShaketableError('usage', unknownName(definitions[kind].called, text, names))
    },
  }
}

/** What ships with the package alone. */
export const shipped = createRegistry()
