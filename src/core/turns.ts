import { type MaybePromise, after } from './after.js'
import type { Turn, World } from './environment.js'
import type { Hooks, TurnShown } from './hooks.js'
import type { Text } from './text.js'
import type { Translated } from './translate.js'

/**
 * The turns of an episode under one lens: their numbers, actions that fail on their way, and delayed observations.
 * @param lower the perturbed world below, if any
 * @param word words an observation for the agent
 */
export function createTurns(
  act: Hooks['act'],
  understands: World['understands'],
  lower: { toEnvironment(action: string): Translated; skip(): void } | undefined,
  word: (pieces: Text, about: TurnShown) => Text,
) {
  let number = 0
  let failed = 0
  let progress = 0
  /** Delayed observations, and the turns in which they are shown. */
  let delayed: readonly { readonly observation: Text; readonly due: number }[] = []

  const takeDue = (isEnd: boolean): Text => {
    const isDue = ({ due }: { readonly due: number }): boolean => isEnd || due <= number
    const due = delayed.filter(isDue)
    delayed = delayed.filter((feedback) => !isDue(feedback))
    return due.flatMap(({ observation }): Text => [...observation, '\n'])
  }
  const show = (turn: Turn, command: string): Turn => {
    progress = turn.progress
    const pieces = [...takeDue(turn.ended !== false), ...turn.observation]
    const about = { turn: number, action: command, understood: turn.understood, refused: turn.command === undefined }
    return { ...turn, observation: word(pieces, about) }
  }
  /** A turn whose action does not reach the world below. */
  const failBefore = ({ refused, command }: Translated, answer: Pick<Turn, 'observation'>): MaybePromise<Turn> => {
    failed++
    lower?.skip()
    return after(understands && (refused ? false : understands(command)), (understood) => {
      const lowest = lower?.toEnvironment(command) ?? { refused: false, command }
      const reached = refused || lowest.refused ? undefined : lowest.command
      const turn = { original: '', command: reached, understood, progress, ended: false, failed: 'before' } as const
      return show({ ...turn, ...answer }, command)
    })
  }
  return {
    get number() {
      return number
    },
    /** How many actions failed. */
    get failed() {
      return failed
    },
    /** Plays a turn. `work` reaches the world below, and is not called where the action fails before it. */
    play(action: Translated, work: () => MaybePromise<Turn>): MaybePromise<Turn> {
      number++
      const { command } = action
      const failure = act(command, number)
      if (failure === undefined) return after(work(), (turn) => show(turn, command))
      const { fails, answer, charged = true, delay } = failure
      const shown = { observation: answer, ...(!charged && { refunded: true }) }
      if (fails === 'before') return failBefore(action, shown)
      return after(work(), (turn) => {
        if (turn.ended !== false) return show(turn, command)
        failed++
        if (delay !== undefined) delayed = [...delayed, { observation: turn.observation, due: number + delay }]
        return show({ ...turn, ...shown, failed: turn.failed ?? fails }, command)
      })
    },
    /** Counts a turn whose action failed in a lens above. */
    skip(): void {
      number++
      lower?.skip()
    },
  }
}
