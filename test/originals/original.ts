import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MaybePromise, Random } from '../../src/index.js'

/** What a side says of a state. */
export type State = Readonly<{ observation: string; score: number; done: boolean; valid: readonly string[] }>

/** This package's side of an episode. */
export interface OurSide {
  readonly opening: State
  step(action: string): MaybePromise<State>
  close?(): MaybePromise<void>
}

/** An episode that both sides play. */
export interface Episode {
  readonly id: string
  /** What the driver begins it with, as JSON. */
  readonly begin: object
  ours(): MaybePromise<OurSide>
  /** The next action, by the last state of this package's side; undefined at the end. */
  next(state: State): string | undefined
  /** Takes what the driver says of something that this package's side does not answer, and tells whether it did. */
  heed?(theirs: State): boolean
}

/** What the choice of episodes depends on. */
export interface Plan {
  readonly random: Random
  readonly isShort: boolean
  /** A folder for files that both sides read, removed afterwards. */
  readonly folder: string
  readonly packages: string
  /** The folder of the installed commands. */
  readonly commands: string
  /** Data of the benchmarks beside the repository, where it is there. */
  readonly data: string | undefined
}

export interface Original {
  readonly name: string
  readonly driver: string
  /** A program that it needs beside Python. */
  readonly needs?: string
  readonly environment?: Readonly<Record<string, string>>
  episodes(plan: Plan): MaybePromise<readonly Episode[]>
  /** What was measured in the episodes, in words. */
  summary?(): string
}

/** The paths of the files below a folder whose names end so, sorted. */
export function filesIn(folder: string, ending: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const found = names.filter((name) => name.endsWith(ending)).sort()
  return found.map((name) => join(folder, name))
}

export function follow(actions: readonly string[]): Episode['next'] {
  const left = [...actions]
  return () => left.shift()
}

const damages: readonly ((action: string) => string)[] = [
  (action) => action.toUpperCase(),
  (action) => `  ${action}\t`,
  (action) => action.replace(' ', '  '),
  (action) => `${action}.`,
  (action) => action.replace(/ \S+$/, ''),
  (action) => `the ${action}`,
]

/** Plays a solution with random actions on the way, then random actions; one in eight is damaged. */
export function wander(random: Random, steps: number, solution: readonly string[] = []): Episode['next'] {
  const left = [...solution]
  let played = 0
  return ({ valid }) => {
    if (played++ >= steps) return undefined
    if (left.length > 0 && random.int(3) > 0) return left.shift()
    const verbs = [...new Set(valid.map((action) => action.split(' ', 1)[0]!))]
    if (verbs.length === 0) return undefined
    const verb = random.pick(verbs)
    const action = random.pick(valid.filter((one) => one.split(' ', 1)[0] === verb))
    return random.int(8) === 0 ? random.pick(damages)(action) : action
  }
}
