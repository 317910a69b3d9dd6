import { ShaketableError } from './errors.js'
import type { NameFinder } from './names.js'
import { createNameFinder } from './names.js'
import type { Lens } from './perturbation.js'

/** The item names of an episode in an environment's spelling and an agent's, and the way between them. */
export interface Spelling {
  /** Whether any name is spelled differently. */
  readonly changed: boolean
  /** The episode's names in the agent's spelling, in the order given; the list that was given where nothing changed. */
  readonly names: readonly string[]
  /** Characters of the longest name in either spelling. */
  readonly longest: number
  isName(text: string): boolean
  isAgentName(text: string): boolean
  toAgent(name: string): string
  toEnvironment(name: string): string
  /** Text with its names in the agent's spelling; `found` is called for each change. */
  textToAgent(text: string, found?: () => void): string
  /**
   * Text with its names in the environment's spelling; `old` where it mentions a spelling that the agent should not
   * use.
   */
  textToEnvironment(text: string): { readonly text: string; readonly old: boolean }
  /** The name, in either spelling, that begins at this index. */
  nameAt(text: string, index: number): string | undefined
  /** The old spellings that a text mentions, once for each time, at the beginning of a sentence too. */
  leaks(text: string): readonly string[]
}

/** The tables of names that do not depend on a lens: made once per task, not per episode. */
interface Vocabulary {
  readonly examples: readonly (readonly string[])[]
  readonly size: number
  readonly finder: NameFinder
  readonly all: readonly string[]
  readonly spellings: WeakMap<NonNullable<Lens['name']>, Spelling>
}

const vocabularies = new WeakMap<readonly string[], Vocabulary[]>()
const asItIs = (name: string): string => name

/**
 * @param names the names of the episode; the same list may come again, as the tables made from it are kept
 * @param examples the names that occur in each worked example
 * @throws ShaketableError `perturbation` when two items end up with one name, or a name cannot be said on one line
 */
export function createSpelling(
  lens: Lens,
  names: readonly string[],
  examples: readonly (readonly string[])[] = [],
): Spelling {
  const vocabulary = vocabularyOf(names, examples)
  const rename = lens.name ?? asItIs
  let spelling = vocabulary.spellings.get(rename)
  if (spelling === undefined) {
    spelling = spell(vocabulary, names, (name) => rename.call(lens, name))
    vocabulary.spellings.set(rename, spelling)
  }
  return spelling
}

function vocabularyOf(names: readonly string[], examples: readonly (readonly string[])[]): Vocabulary {
  const known = vocabularies.get(names) ?? []
  const found = known.find(
    (one) =>
      one.size === names.length &&
      one.examples.length === examples.length &&
      one.examples.every((list, index) => list === examples[index]),
  )
  if (found !== undefined) return found
  const all = [...new Set([...names, ...examples.flat()])]
  const made = { examples, size: names.length, all, finder: createNameFinder(all), spellings: new WeakMap() }
  vocabularies.set(names, [made, ...known.slice(0, 15)])
  return made
}

function spell(vocabulary: Vocabulary, given: readonly string[], rename: (name: string) => string): Spelling {
  const { all, finder } = vocabulary
  const agents = new Map<string, string>()
  const origins = new Map<string, string>()
  for (const name of all) {
    const agent = rename(name)
    checkName(name, agent)
    if (agent === name) continue
    const other = origins.get(agent)
    if (other !== undefined) throw sameName(name, other, agent)
    agents.set(name, agent)
    origins.set(agent, name)
  }
  for (const [agent, name] of origins) if (finder.has(agent) && !agents.has(agent)) throw sameName(name, agent, agent)

  /** At the beginning of a sentence: both spellings with a capital letter, where that is no item's own name. */
  const capitals = new Map<string, string>()
  for (const [name, agent] of agents) {
    const large = capitalised(name)
    if (large !== name && !finder.has(large) && !origins.has(large)) capitals.set(large, capitalised(agent))
  }
  const inText = capitals.size === 0 ? finder : createNameFinder([...all, ...capitals.keys()])

  const isAgentName = (text: string): boolean => origins.has(text) || (finder.has(text) && !agents.has(text))
  let made: NameFinder | undefined
  const either = (): NameFinder => (made ??= createNameFinder([...all, ...origins.keys(), ...capitals.keys()]))
  const changed = agents.size > 0
  return {
    changed,
    names: changed ? given.map((name) => agents.get(name) ?? name) : given,
    longest: Math.max(finder.longest, ...[...origins.keys()].map((name) => name.length)),
    isName: finder.has,
    isAgentName,
    toAgent: (name) => agents.get(name) ?? name,
    toEnvironment: (name) => origins.get(name) ?? name,
    textToAgent(text, found) {
      if (!changed) return text
      return inText.replace(text, (name) => {
        const agent = agents.get(name) ?? capitals.get(name)
        if (agent !== undefined) found?.()
        return agent ?? name
      })
    },
    textToEnvironment(text) {
      if (!changed) return { text, old: false }
      let old = false
      const replaced = either().replace(text, (name) => {
        const origin = origins.get(name)
        if (origin === undefined && agents.has(name)) old = true
        return origin ?? name
      })
      return { text: replaced, old }
    },
    nameAt: (text, index) => (changed ? either() : finder).at(text, index),
    leaks(text) {
      if (!changed) return none
      const found: string[] = []
      either().replace(text, (name) => (isAgentName(name) || found.push(name), name))
      return found
    },
  }
}

const none: readonly string[] = []

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

function checkName(name: string, agent: unknown): void {
  const is = `The item '${name}'`
  if (typeof agent !== 'string') {
    throw new ShaketableError('perturbation', `${is} must be given a name that is a string, got ${typeof agent}.`)
  }
  if (agent === name) return
  if (agent === '')
    throw new ShaketableError('perturbation', `${is} is left without a name. Give every item a name of its own.`)
  if (agent !== agent.trim() || /[\r\n]/.test(agent)) {
    throw new ShaketableError(
      'perturbation',
      `${is} would be called ${JSON.stringify(agent)}, which cannot stand in an action on one line. Use a name without line breaks or blanks at its ends.`,
    )
  }
}

function sameName(name: string, other: string, agent: string): ShaketableError {
  const message = `The items '${other}' and '${name}' would both be called '${agent}'. Give every item a name of its own.`
  return new ShaketableError('perturbation', message)
}
