import type { Environment, EnvironmentCard } from '../core/environment.js'
import { createRandom } from '../core/random.js'
import type { Model } from '../core/model.js'
import type { Vocabulary } from '../define/vocabulary.js'
import type { WordedPart } from './wordings-file.js'
import { parseTemplate, printForm, slotNames } from '../core/form.js'

/** A text, its part of the vocabulary, and what helps to word it. */
interface Item extends Original {
  readonly part: WordedPart
  /** What an action does. */
  readonly meaning: string
}

interface ParaphraseOptions {
  readonly parts: readonly WordedPart[]
  /** Wordings per text. */
  readonly draws: number
  readonly temperature: number
  readonly seed: number
  /** Parallel requests. */
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Called after each text. */
  readonly progress?: (done: number, planned: number) => void
}

/** Tasks whose forms, names and goals are read. */
const maxTasks = 40
/** Requests per text. */
const maxRequests = 3
const maxTokens = 1000

/**
 * Asks a model for other wordings of an environment's actions, goals and observations, and keeps those that have every
 * slot, number and name of the original. Whether the meaning is the same is not checked: read them before use.
 * @param wordsOf the vocabulary of an environment, whose goals and observations are templates; where it has no goals,
 * those of the tasks themselves are worded
 */
export async function paraphrase(
  environment: Environment,
  wordsOf: (card: EnvironmentCard) => Vocabulary,
  model: Model,
  options: ParaphraseOptions,
) {
  const items = (await itemsOf(environment, wordsOf, options.parts)).filter(({ text }) => text.trim() !== '')
  /** Wordings that are not taken. */
  const refused: { readonly text: string; readonly wording: string; readonly why: string }[] = []
  const texts = new Map<Item, string[]>()
  let requests = 0
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]!
      const good: string[] = []
      for (let round = 0; round < maxRequests && good.length < options.draws; round++) {
        options.signal.throwIfAborted()
        requests++
        const reply = await model.complete([{ role: 'user', content: promptOf(item, options.draws, good) }], {
          temperature: options.temperature,
          seed: options.seed + round,
          maxTokens,
          stop: [],
          signal: options.signal,
        })
        for (const wording of linesOf(reply.text)) {
          if (good.some((known) => plain(known) === plain(wording))) continue
          const why = checkWording(item, wording)
          if (why === undefined) good.push(wording)
          else refused.push({ text: item.text, wording: wording.slice(0, 300), why })
        }
      }
      texts.set(item, good)
      options.progress?.(texts.size, items.length)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work))
  const words: Partial<Record<WordedPart, Record<string, string[]>>> = {}
  /** Number of texts of each part, and of those that have all their wordings. */
  const counts: Partial<Record<WordedPart, { texts: number; complete: number }>> = {}
  // An action is typed, so no two have the same words.
  const taken = new Set(items.filter(({ isAction }) => isAction).map(({ text }) => plain(text)))
  for (const [{ part, text, isAction }, wordings] of items.map((item) => [item, texts.get(item)!] as const)) {
    const isFree = (wording: string): boolean => !isAction || !taken.has(plain(wording))
    for (const wording of wordings.filter((candidate) => !isFree(candidate)))
      refused.push({ text, wording, why: 'another action has these words' })
    const kept = wordings.filter(isFree).slice(0, options.draws)
    for (const wording of kept) taken.add(plain(wording))
    if (kept.length > 0) (words[part] ??= {})[text] = kept
    const count = (counts[part] ??= { texts: 0, complete: 0 })
    count.texts++
    if (kept.length === options.draws) count.complete++
  }
  return { words, requests, counts, refused }
}

/** The texts to be worded, each once. */
async function itemsOf(
  environment: Environment,
  wordsOf: (card: EnvironmentCard) => Vocabulary,
  parts: readonly WordedPart[],
): Promise<readonly Item[]> {
  const [forms, names, literal] = [new Map<string, string>(), new Set<string>(), new Set<string>()]
  let card: EnvironmentCard = { name: environment.name }
  const every = Math.max(1, Math.ceil(environment.tasks.length / maxTasks))
  for (const task of environment.tasks.filter((_, index) => index % every === 0)) {
    const world = await environment.begin(task, createRandom('0'))
    await world.close?.()
    const { briefing, names: worldNames } = world
    card = world.environment ?? card
    for (const { template, meaning } of briefing.forms) forms.set(template, meaning)
    for (const name of worldNames) {
      names.add(name)
      names.add(name.replace(/ ?\d+$/, ''))
    }
    literal.add(briefing.goal)
  }
  const { actions = {}, goals, observations = {}, items: kinds = {} } = wordsOf(card)
  for (const kind of Object.keys(kinds)) names.add(kind)
  for (const template of Object.keys(actions)) if (!forms.has(template)) forms.set(template, '')
  const shared = { names: [...names].filter((name) => /\p{L}/u.test(name)), meaning: '' }
  const item =
    (part: WordedPart) =>
    (text: string): Item => ({ ...shared, part, text, isAction: part === 'actions' })
  const all: Readonly<Record<WordedPart, readonly Item[]>> = {
    // AgentBoard's command for the list of actions is not an action of the world.
    actions: [...forms].flatMap(([text, meaning]) =>
      /^check\b/i.test(text) ? [] : [{ ...item('actions')(text), meaning }],
    ),
    goals: (goals === undefined ? [...literal] : Object.keys(goals.rules)).map(item('goals')),
    observations: Object.keys(observations).map(item('observations')),
  }
  return parts.flatMap((part) => all[part])
}

const kindsOfText: Readonly<Record<WordedPart, string>> = {
  actions: 'a command that a player types in a text game',
  goals: 'the goal of a task in a text game',
  observations: 'a sentence that a text game prints',
}

function promptOf({ part, text, meaning }: Item, draws: number, before: readonly string[]): string {
  return [
    `Write ${String(draws + 3)} other wordings of the text below. It is ${kindsOfText[part]}.`,
    meaning === '' ? [] : `What it does: ${meaning}`,
    'Each must mean exactly the same. Keep every slot in curly brackets, every number and every name as it is. Add no hint and leave nothing out.',
    part === 'actions' ? 'Use another verb in each, in the imperative, with as few words as the original has.' : [],
    before.length === 0 ? [] : `Do not use these again:\n${before.join('\n')}`,
    'Write one wording per line, without numbers, quotes or comments.',
    '',
    text,
  ]
    .flat()
    .join('\n')
}

/** The lines of a reply, without bullets, numbers and quotes around them. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const bare = line
      .trim()
      .replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, '')
      .replace(/^(["'`])(.*)\1$/, '$2')
      .trim()
    return bare === '' ? [] : [bare]
  })
}

const numbers = /\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b/gi

/** A text that is to be worded in another way. */
export interface Original {
  readonly text: string
  /** An action is typed, so it must be told apart from others. */
  readonly isAction: boolean
  /** Names of items and their kinds; those that stand in the text must stand in its other wordings. */
  readonly names: readonly string[]
}

/**
 * Compares another wording with the original: every slot, number and name must be in it as often as in the original.
 * @returns what is wrong with it, or undefined
 */
export function checkWording({ text, isAction, names }: Original, wording: string): string | undefined {
  if (/\p{Cc}/u.test(wording)) return 'it has control characters'
  if (wording.length > 3 * text.length + 100) return 'it is more than three times as long'
  if (plain(wording) === plain(text)) return 'it is the original'
  const { literals } = parseTemplate(wording)
  const slotsOf = (text: string): string => [...slotNames(text)].sort().join(' ')
  if (slotsOf(wording) !== slotsOf(text) || /[{}]/.test(literals.join(''))) return 'its slots differ'
  if (numbersIn(wording) !== numbersIn(text)) return 'its numbers differ'
  const lost = names.find((name) => count(text, name) > 0 && count(wording, name) === 0)
  if (lost !== undefined) return `it lacks '${lost}'`
  if (!isAction) return undefined
  if (!/\p{L}/u.test(literals.join(''))) return 'it has no word of its own'
  const isOpen = ({ literals: between }: { readonly literals: readonly string[] }): boolean =>
    between.slice(1, -1).some((literal) => literal.trim() === '')
  return isOpen({ literals }) && !isOpen(parseTemplate(text)) ? 'no word stands between its items' : undefined
}

/** A template for comparison: slots without names, one letter case, single blanks. */
export function plain(text: string): string {
  return printForm(text, () => '{}')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.!]$/, '')
    .trim()
}

function numbersIn(text: string): string {
  return JSON.stringify((text.toLowerCase().match(numbers) ?? []).sort())
}

/** How often a name stands in a text by itself. */
function count(text: string, name: string): number {
  const [whole, part] = [text, name].map(
    (text) =>
      ` ${text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `,
  )
  return whole!.split(part!).length - 1
}
