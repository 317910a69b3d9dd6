import type { Form, Lessons } from '../_lessons.js'
import type { Prompt } from '../_prompt.js'
import { isRefusal, listedCommands } from '../_prompt.js'
import type { Option, Position, Skill } from '../_skill.js'
import { barman } from './barman.js'
import { blockworld } from './blockworld.js'
import type { Doing, Game } from './game.js'
import { gripper } from './gripper.js'
import type { Help } from './help.js'
import { gatherNames } from './names.js'
import { believe } from './scene.js'
import { enterStrange, namesInStrange } from './stranger.js'
import type { Table } from './table.js'
import { after } from './table.js'
import { tyreworld } from './tyreworld.js'
import { viewOf, waysOf } from './view.js'

/** How a player words what it means to do. */
export interface Speaker {
  /** What it knows beforehand. */
  forms(prompt: Prompt, game: Game): readonly Form<string>[]
  readonly lessons: Lessons<string>
  /** The words for a deed; undefined where every wording of it was refused. */
  speak(doing: Pick<Doing, 'deed' | 'objects'>, table: Table, help: Help): string | undefined
  /** Whether it says what a list of possible actions has, be it understood or not. */
  readonly copies: boolean
  /** Commands that ask for help. */
  help(prompt: Prompt): Help
}

const games = [gripper, barman, tyreworld, blockworld] as const

/** Log odds of doing just anything, or asking for help, against doing what is best. */
const wandering = -1.5
const asking = -2.5

/** Plays AgentBoard's PDDL games, and whatever else has a goal of conditions: the same skill for every speaker. */
export function createGaming(speaker: Speaker): Skill {
  return {
    fits: ({ goal }) => /^The goal is to satisfy the following conditions/i.test(goal),
    begin(prompt, opening) {
      const game = games.find(({ sign }) => sign.test(opening))
      if (game === undefined) return enterStrange(prompt, opening, speaker.help(prompt))
      const start = game.read(opening)
      const goal = game.read(conditionsOf(prompt.goal))
      const names = gatherNames([...start.met, ...goal.met])
      const facts = believe(game, new Set(), start.facts)
      return positionAt(speaker, speaker.help(prompt), {
        game,
        names,
        goal: goal.facts,
        forms: speaker.forms(prompt, game),
        facts,
        view: viewOf(facts),
        lessons: speaker.lessons,
        refused: [],
        listed: undefined,
        looked: false,
      })
    },
    names(observation) {
      if (isRefusal(observation) || listedCommands(observation).length > 0) return []
      const fitting = games.find(({ sign }) => sign.test(observation))
      const met = (fitting === undefined ? games : [fitting]).map(({ read }) => read(observation).met)
      const told = met.find(({ length }) => length > 0)
      return told === undefined ? namesInStrange(observation) : [...gatherNames(told).spelled.values()]
    },
  }
}

/** The conditions of a goal as sentences. */
function conditionsOf(goal: string): string {
  return goal
    .replace(/^[^:]*conditions: /i, '')
    .split(/\s*,\s+/)
    .map((condition) => `${condition.replace(/[\s.]+$/, '')}.`)
    .join('\n')
}

function positionAt(speaker: Speaker, help: Help, table: Table): Position {
  return {
    after: (exchange) => positionAt(speaker, help, after(table, exchange)),
    options: () => optionsAt(speaker, help, table),
  }
}

function optionsAt(speaker: Speaker, help: Help, table: Table): readonly Option[] {
  const { list, look } = help
  const { game, names, view, goal, refused, listed, looked } = table
  const say = (doing: Pick<Doing, 'deed' | 'objects'>) => (): string | undefined => {
    const text = speaker.speak(doing, table, help)
    return text === undefined || refused.includes(text) ? undefined : text
  }
  const sensible = game.decide(view, goal).map((doing): Option => ({ score: doing.score, ways: [say(doing)] }))
  // Worked out only where it is drawn.
  const anything: Option = {
    score: wandering,
    get ways() {
      return game.deeds.flatMap((deed) => waysOf(deed, view, names).map((objects) => say({ deed: deed.name, objects })))
    },
  }
  const lost = sensible.length === 0 && !looked
  const ask = (command: string | undefined, score: number): readonly Option[] =>
    command === undefined ? [] : [{ score, ways: [() => command] }]
  const possible = (speaker.copies ? (listed ?? []) : []).filter(
    (command) => command !== list && command !== look && !refused.includes(command),
  )
  return [
    ...sensible,
    anything,
    ...ask(look, lost ? 0 : asking),
    ...ask(list, asking),
    ...(possible.length > 0 ? [{ score: asking - 1, ways: possible.map((command) => () => command) }] : []),
  ]
}
