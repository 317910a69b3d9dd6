import type { World } from './environment.js'
import { type ActionForm, printForm, readForm } from './form.js'
import type { Lens } from './perturbation.js'
import { findOldForms } from './mentions.js'
import { createSpelling } from './spelling.js'
import { checkWordings, frame, nearestForm, rewordForms, rewordTemplate, shape } from './wording.js'

/** An agent's action translated for the environment. */
export interface Translated {
  /** Whether the action is in the old wording. */
  readonly refused: boolean
  /**
   * The action in the environment's wording, as far as it has one. For a refused action: the wording that it would
   * have.
   */
  readonly command: string
}

export type Translator = ReturnType<typeof createTranslator>

/**
 * Translates between the environment's wording and the agent's in both directions, from a lens that describes only one.
 * @param names every item name that can occur in the episode
 * @param examples the item names of each worked example
 * @throws ShaketableError `perturbation` if the slots of a form change, or two actions or two items get the same
 * wording
 */
export function createTranslator(
  lens: Lens,
  forms: readonly ActionForm[],
  names: readonly string[],
  examples: readonly (readonly string[])[] = [],
) {
  const spelling = createSpelling(lens, names, examples)
  const allNames = [...new Set([...names, ...examples.flat()])]
  const reworded = rewordForms(lens, forms)
  const changed = reworded.filter(({ from, to }) => from !== to)
  checkWordings(reworded, spelling.names)
  const shapes = new Set(reworded.map(({ to }) => shape(to)))
  const replaced = changed.map(({ from }) => from).filter((from) => !shapes.has(shape(from)))
  const replacements = changed.map(({ to }) => to)
  const origins = reworded.map(({ from, to }) => ({ template: from, from, to, refused: false }))
  const wordings = reworded.map(({ from, to }) => ({ template: to, from, to, refused: false }))
  const oldWordings = changed.map(({ from, to }) => ({ template: from, from, to, refused: true }))
  const bothWordings = [...wordings, ...oldWordings]
  const [allOld, allNew] = [reworded.map(({ from }) => from), reworded.map(({ to }) => to)]

  /** A text that matches a form in one wording exactly, printed in the other. */
  const exact = (
    text: string,
    wording: 'from' | 'to',
    isName: (name: string) => boolean,
    respell: (name: string) => string,
  ): string | undefined => {
    for (const form of reworded) {
      const filling = readForm(form[wording], text, isName, spelling.longest)
      if (filling !== undefined) return printForm(form[wording === 'from' ? 'to' : 'from'], mapValues(filling, respell))
    }
    return undefined
  }
  const exactCommand = (text: string, onFound?: () => void): string | undefined =>
    exact(text, 'from', spelling.isName, (name) => spelling.toAgent(name, onFound))
  const exactAction = (text: string): string | undefined =>
    exact(text, 'to', spelling.isAgentName, spelling.toEnvironment)
  const looseAction = (text: string, read: NonNullable<World['read']>): Translated | undefined => {
    const asNew = read(text, allNew, spelling.names)
    if (asNew !== undefined) {
      const { from, to } = reworded.find((pair) => pair.to === asNew.template)!
      // An environment may take texts around names, as in `substance in pot 1`.
      let refused = false
      const filling = mapValues(asNew.filling, (value) => {
        const { text, old } = spelling.textToEnvironment(value)
        refused ||= old
        return text
      })
      const isSame = from === to && Object.entries(filling).every(([slot, value]) => value === asNew.filling[slot])
      return { refused, command: isSame ? text : printForm(from, filling) }
    }
    const asOld = read(text, allOld, names)
    if (asOld === undefined) return undefined
    const isOldForm = changed.some(({ from }) => from === asOld.template)
    const isOldName = Object.values(asOld.filling).some((name) => spelling.textToAgent(name) !== name)
    return { refused: isOldForm || isOldName, command: text }
  }
  /** Rewords a command that matches no form exactly; the command itself if nothing in it changes. */
  const looseCommand = (text: string, read: NonNullable<World['read']>, onFound?: () => void): string | undefined => {
    const { template, filling } = read(text, allOld, allNames, true) ?? {}
    if (template === undefined || filling === undefined) return undefined
    const to = reworded.find(({ from }) => from === template)!.to
    if (to === template && Object.values(filling).every((name) => spelling.textToAgent(name) === name)) return text
    const respelled = mapValues(filling, (name) => spelling.textToAgent(name, onFound))
    return printForm(to, respelled)
  }
  return {
    /** The forms in the agent's wording. */
    forms: reworded.map(({ form, from, to }) =>
      from === to ? form : { ...form, template: to, origin: form.origin ?? from },
    ),
    /** Number of forms whose wording changes. */
    changedForms: changed.length,
    /** The episode's names in the agent's spelling. */
    names: spelling.names,
    name: (name: string): string => spelling.toAgent(name),
    form: (template: string): string => rewordTemplate(lens, template),
    /**
     * Rewords a command for the agent. `found` is called for each name that changes; `read` is the environment's
     * tolerant reading, see World.read.
     */
    command(text: string, onFound?: () => void, read?: World['read']): string {
      const exact = exactCommand(text, onFound)
      if (exact !== undefined) return exact
      const { before, body, after } = frame(text)
      const bare = body === text ? undefined : exactCommand(body, onFound)
      const known = bare ?? (read && looseCommand(body, read, onFound))
      if (known !== undefined) return before + known + after
      const near = nearestForm(origins, body)
      const respelled = (value: string): string => spelling.textToAgent(value, onFound)
      const worded = near ? printForm(near.found.to, mapValues(near.filling, respelled)) : respelled(body)
      return before + worded + after
    },
    /** Respells the item names in prose. */
    prose: spelling.textToAgent,
    /** Translates an action of the agent. */
    toEnvironment(action: string, read?: World['read']): Translated {
      const exact = exactAction(action)
      if (exact !== undefined) return { refused: false, command: exact }
      const { before, body, after } = frame(action)
      const bare = body === action ? undefined : exactAction(body)
      if (bare !== undefined) return { refused: false, command: before + bare + after }
      const loose = read && looseAction(action, read)
      if (loose !== undefined) return loose
      const near = nearestForm(bothWordings, body)
      let refused = near?.found.refused ?? false
      const respelled = (value: string): string => {
        const exact = spelling.textToEnvironment(value)
        // An environment that reads tolerantly knows its names in any letter case, and with any blanks.
        if (read === undefined || exact.old || exact.text !== value) {
          refused ||= exact.old
          return exact.text
        }
        const plain = value.toLowerCase().replace(/\s+/g, ' ')
        const { text, old } = spelling.textToEnvironment(plain)
        refused ||= old
        return !old && text === plain ? exact.text : text
      }
      const command = near ? printForm(near.found.from, mapValues(near.filling, respelled)) : respelled(body)
      return { refused, command: before + command + after }
    },
    /** The old forms and names that a shown text mentions, one entry per mention. */
    leaks: (text: string): readonly string[] => [
      ...spelling.leaks(text),
      ...findOldForms(replaced, replacements, text, spelling.nameAt),
    ],
  }
}

function mapValues(filling: Readonly<Record<string, string>>, map: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(filling).map(([slot, value]) => [slot, map(value)]))
}
