import { type Briefing, type World, exampleTexts } from './environment.js'
import { ShaketableError } from './errors.js'
import type { Failure, Lens, Moment, TextPart, TextPlace } from './perturbation.js'
import type { Random } from './random.js'
import { type Part, type Piece, type Text, piecesOf, textOf } from './text.js'

/** What the hook `text` is told of a turn. */
export type TurnShown = Pick<TextPlace, 'turn' | 'action' | 'understood' | 'refused'>

export type Hooks = ReturnType<typeof createHooks>

/**
 * The hooks of a lens except `form` and `name`, with their changes counted. A missing hook, and text outside the scope,
 * change nothing.
 * @param name the perturbation's name, for error messages
 */
export function createHooks(name: string, lens: Lens, random: Random, scope: ReadonlySet<Part>) {
  const counts = { characters: 0, views: 0, viewed: 0, added: 0, listed: 0 }
  const added = new Set<string>()
  const momentOf = (stream: string, turn: number): Moment => ({ turn, random: random.fork(stream).fork(String(turn)) })
  const failList = (what: string): never => {
    throw new ShaketableError('perturbation', `The hook 'commands' of '${name}' ${what}.`)
  }

  const changeList = (list: readonly string[], turn: number, isCounted: boolean): readonly string[] => {
    const { commands, lists = 'reorder' } = lens
    if (commands === undefined) return list
    const collision = list.find((command) => added.has(command))
    if (collision !== undefined) {
      failList(
        `added '${collision}' to a list, but the environment lists it itself now. Add commands that it never understands`,
      )
    }
    const shown = commands(list, momentOf('commands', turn))
    const [before, after] = [new Set(list), new Set(shown)]
    const more = [...after].filter((command) => !before.has(command))
    const hidden = [...before].filter((command) => !after.has(command))
    if (after.size < shown.length && before.size === list.length) {
      failList(
        `shows '${shown.find((command, index) => shown.indexOf(command) < index)!}' twice. Show each command once`,
      )
    }
    if (more.length > 0 && lists !== 'add') {
      failList(`adds '${more[0]!}', but its lens says lists: '${lists}'. Say lists: 'add', or leave it out`)
    }
    if (hidden.length > 0 && lists !== 'hide') {
      failList(`hides '${hidden[0]!}', but its lens says lists: '${lists}'. Say lists: 'hide', or keep it`)
    }
    if (lists === 'add') for (const command of more) added.add(command)
    if (isCounted) {
      const kept = [...before].filter((command) => after.has(command))
      const order = [...after].filter((command) => before.has(command))
      const moved = order.filter((command, index) => command !== kept[index])
      counts.listed += more.length + hidden.length + moved.length
    }
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

  /** @param isCounted whether a change is counted; not that of a text that may never be shown */
  const text = (pieces: Text, part: TextPart, about = atFirst, isCounted = true): Text => {
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
    if (part !== 'observations') count(before, after)
    else if (before !== after) {
      counts.views++
      counts.viewed += before.length
      counts.added += Math.max(0, after.length - before.length)
    }
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
    count(briefing.examples.flatMap(exampleTexts).join('\n'), changed.examples.flatMap(exampleTexts).join('\n'))
    count(briefing.help.join(), changed.help.join())
    return changed
  }

  return {
    text,
    wrap: (world: World): World => lens.wrap?.(world) ?? world,
    /** Applies `commands` to the lists of a briefing, then `brief` to the whole. */
    brief(briefing: Briefing): Briefing {
      if (lens.brief === undefined && lens.commands === undefined) return briefing
      return changeBriefing({
        ...briefing,
        instruction: changeLists(briefing.instruction, 'instruction', 0),
        examples: briefing.examples.map((example) => ({
          ...example,
          opening: changeLists(example.opening, 'examples', 0),
          exchanges: example.exchanges.map(({ action, observation }) => ({
            action,
            observation: changeLists(observation, 'examples', 0),
          })),
        })),
      })
    },
    /** Applies `commands` to the lists of an observation, then `text` to the whole. */
    observation: (pieces: Text, about: TurnShown): Text =>
      text(changeLists(pieces, 'observations', about.turn), 'observations', about),
    /** Applies `commands` to a list of admissible actions. */
    list: (commands: readonly string[], turn: number): readonly string[] =>
      scope.has('admissible') ? changeList(commands, turn, false) : commands,
    /** Whether `commands` added this command to a list. */
    isAdded: (command: string): boolean => added.has(command),
    act(action: string, turn: number): Failure<Text> | undefined {
      const failure = lens.act?.(action, momentOf('act', turn))
      return failure && { ...failure, answer: piecesOf(failure.answer) }
    },
    /** The counts of changes so far. */
    dose: () => ({ ...counts }),
  }
}

/** The opening and the briefing. */
const atFirst: TurnShown = { turn: 0, understood: undefined, refused: false }
