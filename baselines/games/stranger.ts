import type { Exchange } from '../_layout.js'
import { isRefusal, listedCommands } from '../_prompt.js'
import type { Prompt } from '../_prompt.js'
import type { Option, Position } from '../_skill.js'
import type { Help } from './help.js'

/** What is known of a game that nobody told of. */
interface Wilds {
  readonly goal: ReadonlySet<string>
  /** What is to hold, as the goal says it. */
  readonly conditions: readonly string[]
  /** By the first word of an action: how many conditions it brought about, less those that it undid. */
  readonly gains: ReadonlyMap<string, number>
  readonly help: Help
  /** What was last seen. */
  readonly scene: string
  /** How often an action was tried, by scene and action. */
  readonly tried: ReadonlyMap<string, number>
  readonly listed: readonly string[] | undefined
}

/** Plays a game of which no rules are known: asks what is possible, and tries first what speaks of the goal, was tried least, and has a verb that did the goal good. */
export function enterStrange({ goal }: Prompt, opening: string, help: Help): Position {
  const words = goal.replace(/^[^:]*conditions: /i, '')
  const conditions = words
    .toLowerCase()
    .split(/[.,]\s*/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return positionIn({
    goal: new Set(tokens(words)),
    conditions,
    gains: new Map(),
    help,
    scene: opening,
    tried: new Map(),
    listed: undefined,
  })
}

/** What could be names in an observation: its words with a digit in them, and others that are no small words. */
export function namesInStrange(observation: string): readonly string[] {
  const words = [...new Set(tokens(observation.slice(0, 5000)))]
  const numbered = words.filter((word) => /\d/.test(word))
  return numbered.length > 0 ? numbered : words
}

function tokens(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []
}

function positionIn(wilds: Wilds): Position {
  return { after: (exchange) => positionIn(afterStrange(wilds, exchange)), options: () => optionsIn(wilds) }
}

function afterStrange(wilds: Wilds, { action, observation }: Exchange): Wilds {
  const commands = listedCommands(observation)
  if (commands.length > 0) return { ...wilds, listed: commands }
  const count = (key: string): number => (wilds.tried.get(key) ?? 0) + 1
  const tried = new Map(wilds.tried)
  for (const key of [`${wilds.scene}\n${action}`, action]) tried.set(key, count(key))
  if (isRefusal(observation)) return { ...wilds, tried }
  const verb = verbOf(action)
  const gain = met(wilds, observation) - met(wilds, wilds.scene)
  const gains = new Map(wilds.gains).set(verb, (wilds.gains.get(verb) ?? 0) + gain)
  return { ...wilds, tried, gains, scene: observation, listed: undefined }
}

/** How many conditions of the goal an observation tells of. */
function met({ conditions }: Wilds, observation: string): number {
  const text = observation.toLowerCase()
  return conditions.filter((condition) => text.includes(condition)).length
}

function verbOf(action: string): string {
  return tokens(action)[0] ?? ''
}

function optionsIn({ goal, gains, help, scene, tried, listed }: Wilds): readonly Option[] {
  const ask = [help.list, help.look].flatMap((command, index) =>
    command ? [{ score: listed === undefined ? -index : -20, ways: [() => command] }] : [],
  )
  const commands = (listed ?? []).filter((command) => command !== help.list && command !== help.look)
  const worth = (command: string): number => {
    const words = tokens(command)
    const wanted = words.filter((word) => goal.has(word)).length / Math.max(1, words.length)
    const promise = Math.sign(gains.get(verbOf(command)) ?? 0)
    return wanted + promise - 3 * (tried.get(`${scene}\n${command}`) ?? 0) - 0.5 * (tried.get(command) ?? 0)
  }
  const scores = commands.map(worth)
  const most = Math.max(0, ...scores)
  return [...commands.map((command, index) => ({ score: scores[index]! - most, ways: [() => command] })), ...ask]
}
