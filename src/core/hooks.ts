import type { Briefing, Dose, World } from './environment.js'
import { ShaketableError } from './errors.js'
import type { Failure, Lens, Moment, Part, TextPart, TextPlace } from './perturbation.js'
import type { Random } from './random.js'
import type { Piece, Text } from './text.js'
import { piecesOf, textOf } from './text.js'

/**
 * The hooks of a lens except `form` and `name`, with their changes counted. A missing hook, and text outside the scope,
 * change nothing.
 */
export interface Hooks {
  wrap(world: World): World
  /** Applies `commands` to the lists of a briefing, then `brief` to the whole. */
  brief(briefing: Briefing): Briefing
  /** @param isCounted whether a change is counted; not that of a text that may never be shown */
  text(pieces: Text, part: TextPart, about?: TurnShown, isCounted?: boolean): Text
  /** Applies `commands` to the lists of an observation, then `text` to the whole. */
  observation(pieces: Text, about: TurnShown): Text
  /** Applies `commands` to a list of admissible actions. */
  list(commands: readonly string[], turn: number): readonly string[]
  /** Whether `commands` added this command to a list. */
  isAdded(command: string): boolean
  act?(action: string, turn: number): Failure<Text> | undefined
  /** The counts of changes so far. */
  dose(): Required<Pick<Dose, 'characters' | 'views' | 'viewed' | 'added' | 'listed'>>
}

/** What the hook `text` is told of a turn. */
export type TurnShown = Pick<TextPlace, 'turn' | 'action' | 'understood' | 'refused'>

/** @param name the perturbation's name, for error messages */
export function createHooks(name: string, lens: Lens, random: Random, scope: ReadonlySet<Part>): Hooks {
  const counts = { characters: 0, views: 0, viewed: 0, added: 0, listed: 0 }
  const added = new Set<string>()
  const momentOf = (stream: string, turn: number): Moment => ({ turn, random: random.fork(stream).fork(String(turn)) })

  const changeList = (list: readonly string[], turn: number, counted: boolean): readonly string[] => {
    if (lens.commands === undefined) return list
    const collision = list.find((command) => added.has(command))
    if (collision !== undefined) {
      throw new ShaketableError(
        'perturbation',
        `The hook 'commands' of '${name}' added '${collision}' to a list, but the environment lists it itself now. Add commands that it never understands.`,
      )
    }
    const shown = lens.commands(list, momentOf('commands', turn))
    const changes = compareLists(list, shown)
    checkList(name, lens.lists ?? 'reorder', changes)
    if (lens.lists === 'add') for (const command of changes.added) added.add(command)
    if (counted) counts.listed += changes.added.length + changes.hidden.length + changes.moved
    return shown
  }
  const changeLists = (text: Text, part: Part, turn: number): Text => {
    if (lens.commands === undefined || !scope.has(part === 'observations' ? 'admissible' : part)) return text
    return text.map((piece): Piece => {
      if (typeof piece === 'string' || !('list' in piece)) return piece
      return { ...piece, list: changeList(piece.list, turn, true) }
    })
  }
  const count = (before: string, after: string): void => {
    if (before !== after) counts.characters += Math.max(before.length, after.length)
  }
  const countTurn = (before: string, after: string): void => {
    if (before === after) return
    counts.views++
    counts.viewed += before.length
    counts.added += Math.max(0, after.length - before.length)
  }

  const text: Hooks['text'] = (pieces, part, about = atFirst, isCounted = true) => {
    if (lens.text === undefined || !scope.has(part === 'goal' ? 'instruction' : part)) return pieces
    const list = pieces.find((piece) => typeof piece !== 'string' && 'list' in piece)
    const shown = lens.text(pieces, {
      part,
      ...about,
      ...(typeof list === 'object' && 'list' in list && { commands: list.list }),
      ...momentOf(part === 'observations' ? 'view' : part, about.turn),
    })
    if (shown === pieces || !isCounted) return piecesOf(shown)
    const [before, after] = [textOf(pieces), textOf(piecesOf(shown))]
    if (part === 'observations') countTurn(before, after)
    else count(before, after)
    return piecesOf(shown)
  }
  const changeBriefing = (briefing: Briefing): Briefing => {
    if (lens.brief === undefined) return briefing
    const { system, instruction, examples, help } = lens.brief(briefing, momentOf('brief', 0))
    const changed: Briefing = {
      ...briefing,
      ...(scope.has('instruction') && {
        system: system ?? briefing.system,
        instruction: instruction === undefined ? briefing.instruction : piecesOf(instruction),
        help: help ?? briefing.help,
      }),
      ...(scope.has('examples') && { examples: examples ?? briefing.examples }),
    }
    count(briefing.system, changed.system)
    if (instruction !== undefined) count(textOf(briefing.instruction), textOf(changed.instruction))
    count(exampleText(briefing), exampleText(changed))
    count(briefing.help.join(), changed.help.join())
    return changed
  }

  return {
    text,
    wrap: (world) => lens.wrap?.(world) ?? world,
    brief(given) {
      if (lens.brief === undefined && lens.commands === undefined) return given
      return changeBriefing({
        ...given,
        instruction: changeLists(given.instruction, 'instruction', 0),
        examples: given.examples.map((example) => ({
          ...example,
          opening: changeLists(example.opening, 'examples', 0),
          exchanges: example.exchanges.map(({ action, observation }) => ({
            action,
            observation: changeLists(observation, 'examples', 0),
          })),
        })),
      })
    },
    observation: (pieces, about) => text(changeLists(pieces, 'observations', about.turn), 'observations', about),
    list: (commands, turn) => (scope.has('admissible') ? changeList(commands, turn, false) : commands),
    isAdded: (command) => added.has(command),
    ...(lens.act && {
      act(action, turn) {
        const failure = lens.act!(action, momentOf('act', turn))
        return failure && { ...failure, answer: piecesOf(failure.answer) }
      },
    }),
    dose: () => ({ ...counts }),
  }
}

/** The opening and the briefing. */
const atFirst: TurnShown = { turn: 0, understood: undefined, refused: false }

interface ListChanges {
  readonly added: readonly string[]
  readonly hidden: readonly string[]
  /** Number of commands in both lists whose relative order differs. */
  readonly moved: number
  readonly twice: string | undefined
}

function compareLists(list: readonly string[], shown: readonly string[]): ListChanges {
  const [before, after] = [new Set(list), new Set(shown)]
  const kept = [...before].filter((command) => after.has(command))
  const order = [...after].filter((command) => before.has(command))
  return {
    added: [...after].filter((command) => !before.has(command)),
    hidden: [...before].filter((command) => !after.has(command)),
    moved: order.filter((command, index) => command !== kept[index]).length,
    twice: after.size === shown.length || before.size < list.length ? undefined : shown.find(isRepeated),
  }
}

function isRepeated(command: string, index: number, list: readonly string[]): boolean {
  return list.indexOf(command) < index
}

function checkList(name: string, may: NonNullable<Lens['lists']>, { added, hidden, twice }: ListChanges): void {
  const wrong =
    twice !== undefined
      ? `shows '${twice}' twice. Show each command once`
      : added[0] !== undefined && may !== 'add' && may !== 'alias'
        ? `adds '${added[0]}', but its lens says lists: '${may}'. Say lists: 'add', or leave it out`
        : hidden[0] !== undefined && may !== 'hide'
          ? `hides '${hidden[0]}', but its lens says lists: '${may}'. Say lists: 'hide', or keep it`
          : undefined
  if (wrong !== undefined) throw new ShaketableError('perturbation', `The hook 'commands' of '${name}' ${wrong}.`)
}

function exampleText({ examples }: Pick<Briefing, 'examples'>): string {
  const texts = examples.map(({ opening, exchanges }) =>
    [textOf(opening), ...exchanges.flatMap(({ action, observation }) => [action, textOf(observation)])].join('\n'),
  )
  return texts.join('\n')
}
