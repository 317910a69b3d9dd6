import { ShaketableError } from './errors.js'
import { type NameFinder, createNameFinder } from './names.js'
import type { Lens } from './perturbation.js'

export type Spelling = ReturnType<typeof createSpelling>

/**
 * Translates an episode's item names between the environment's spelling and the agent's.
 * @param names the episode's names
 * @param examples the names in each worked example
 * @throws ShaketableError `perturbation` if two items get the same name, or a name cannot be written on one line
 */
export function createSpelling(lens: Lens, names: readonly string[], examples: readonly (readonly string[])[] = []) {
  const rename = (name: string): string => lens.name?.(name) ?? name
  const all = [...new Set([...names, ...examples.flat()])]
  const finder = createNameFinder(all)
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

  /**
   * Spellings with a capital letter, as at the beginning of a sentence, except where that is the name of another item.
   */
  const capitals = new Map<string, string>()
  for (const [name, agent] of agents) {
    const capital = capitalised(name)
    if (capital !== name && !finder.has(capital) && !origins.has(capital)) capitals.set(capital, capitalised(agent))
  }
  const inText = capitals.size === 0 ? finder : createNameFinder([...all, ...capitals.keys()])

  const isAgentName = (text: string): boolean => origins.has(text) || (finder.has(text) && !agents.has(text))
  let cached: NameFinder | undefined
  const either = (): NameFinder => (cached ??= createNameFinder([...all, ...origins.keys(), ...capitals.keys()]))
  const changed = agents.size > 0
  return {
    /** The episode's names in the agent's spelling, in the given order; the given list itself if no name changes. */
    names: changed ? names.map((name) => agents.get(name) ?? name) : names,
    /** Number of characters of the longest name in either spelling. */
    longest: Math.max(finder.longest, ...[...origins.keys()].map((name) => name.length)),
    isName: finder.has,
    isAgentName,
    /** `found` is called where the spelling changes. */
    toAgent(name: string, onFound?: () => void): string {
      if (agents.has(name)) onFound?.()
      return agents.get(name) ?? name
    },
    toEnvironment: (name: string): string => origins.get(name) ?? name,
    /** Respells the names in a text for the agent. `found` is called for each change. */
    textToAgent(text: string, onFound?: () => void): string {
      if (!changed) return text
      return inText.replace(text, (name) => {
        const agent = agents.get(name) ?? capitals.get(name)
        if (agent === undefined) return name
        onFound?.()
        return agent
      })
    },
    /**
     * Respells the names in a text for the environment. `old`: the text mentions an old spelling, which the agent
     * should not use.
     */
    textToEnvironment(text: string): { readonly text: string; readonly old: boolean } {
      if (!changed) return { text, old: false }
      let old = false
      const replaced = either().replace(text, (name) => {
        const origin = origins.get(name)
        if (origin === undefined && agents.has(name)) old = true
        return origin ?? name
      })
      return { text: replaced, old }
    },
    /** The name that begins at this index, in either spelling. */
    nameAt: (text: string, index: number): string | undefined => (changed ? either() : finder).at(text, index),
    /** The old spellings that a text mentions, one entry per mention, also with a capital letter at the beginning. */
    leaks(text: string): readonly string[] {
      const parts: string[] = []
      if (changed) either().replace(text, (name) => (isAgentName(name) || parts.push(name), name))
      return parts
    },
  }
}

/** A name with a capital letter, as at the beginning of a sentence. */
export function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

function checkName(name: string, agent: string): void {
  if (agent === name) return
  if (agent === '' || agent !== agent.trim() || /[\r\n]/.test(agent)) {
    throw new ShaketableError(
      'perturbation',
      `The item '${name}' would be called ${JSON.stringify(agent)}, which cannot stand in an action on one line. Use a name without line breaks or blanks at its ends.`,
    )
  }
}

function sameName(name: string, other: string, agent: string): ShaketableError {
  const message = `The items '${other}' and '${name}' would both be called '${agent}'. Give every item a name of its own.`
  return new ShaketableError('perturbation', message)
}
