import type { Briefing } from './environment.js'
import type { Random } from './random.js'
import type { Part } from './text.js'

export type { Part } from './text.js'
export { parts } from './text.js'

/**
 * Two-way spectacles for one episode. Every hook is optional and a missing one changes nothing. `form` and `name` are one-way
 * descriptions: the way back, the refusal of the old wording, and the check for collisions come with the machinery in perturb().
 * They are pure: equal input gives equal output, so that what was worked out with one function is not worked out again.
 */
export interface Lens {
  /**
   * The action forms that it has rules for. One that no task of the environment has is an error when the lens is
   * opened.
   */
  readonly rules?: readonly string[]
  /** Another wording for an action form, with the same slots: `go to {recep}` to `move to {recep}`. */
  form?(template: string): string
  /** Another spelling for an item name: `sofa 1` to `sofa1`. */
  name?(name: string): string
  /** Another look for prose that the environment says; commands and forms quoted in it are not passed in. */
  prose?(text: string, part: Part): string
}

/** What a perturbation may look at when it opens its lens for an episode. */
export interface Scene {
  readonly briefing: Briefing
  /** Every item name of the episode. */
  readonly names: readonly string[]
  /** A stream of its own, decided by the episode's seed and the perturbation's name. */
  readonly random: Random
  /** 0 to 1, where the perturbation has a dose; 1 unless asked otherwise. */
  readonly intensity: number
}

/** A named, versioned change of wording or surroundings, with a promise. */
export interface Perturbation {
  readonly kind: 'lens'
  readonly name: string
  /** Changes whenever equal input would be worded differently. Default `1`. */
  readonly version: string
  readonly summary: string
  /** Where it comes from. */
  readonly source: string
  /** `invariant`: success should not move. `identity`: nothing changes at all. `harder`, `easier`: it may only move that way. */
  readonly promise: 'invariant' | 'identity' | 'harder' | 'easier'
  /** Whether `intensity` means something to it. */
  readonly graded: boolean
  /** The environment that it is made for, such as `babyai`; absent where it means something in any. */
  readonly environment?: string
  /** The perturbation of another environment whose part it plays in its own, as `babyai-1` plays that of `agentrefine-1`. */
  readonly counterpartOf?: string
  open(scene: Scene): Lens
}

type Definition = Omit<Perturbation, 'kind' | 'version' | 'graded'> & Partial<Pick<Perturbation, 'version' | 'graded'>>

/** Defines a perturbation; a file that exports one as its default is a plug-in. */
export function definePerturbation(definition: Definition): Perturbation {
  return { version: '1', graded: false, ...definition, kind: 'lens' }
}

const rewordings = new Map<string, Lens>()

/**
 * A lens that words action forms differently: `rewordActions({ 'go to {recep}': 'move to {recep}' })`. Forms that are
 * not named stay; naming one that the environment does not have is an error when it is opened. Equal rules give the
 * same lens again.
 */
export function rewordActions(rules: Readonly<Record<string, string>>): Lens {
  const key = JSON.stringify(rules)
  const known = rewordings.get(key)
  if (known !== undefined) return known
  const table = new Map(Object.entries(rules))
  const lens: Lens = { rules: [...table.keys()], form: (template) => table.get(template) ?? template }
  if (rewordings.size > 1000) rewordings.clear()
  rewordings.set(key, lens)
  return lens
}

/** A lens that spells item names differently: `renameItems((name) => name.replace(/ (\d+)$/, '$1'))`. */
export function renameItems(rename: (name: string) => string): Lens {
  return { name: rename }
}

/** One perturbation of a column, with the options it is used with. */
export interface AppliedPerturbation {
  readonly perturbation: Perturbation
  /** What it reaches; all parts unless asked otherwise. */
  readonly scope?: readonly Part[]
  /** Whether the old wording is refused; true unless asked otherwise. */
  readonly refuse?: boolean
  /** 0 to 1; 1 unless asked otherwise. */
  readonly intensity?: number
  /** Names of the environments in which it is used; absent where that is all. */
  readonly environments?: readonly string[]
}

/** Those of several perturbations that are used in an environment. */
export function usedIn<Applied extends Pick<AppliedPerturbation, 'environments'>>(
  applied: readonly Applied[],
  environment: string,
): readonly Applied[] {
  return applied.filter(({ environments }) => environments?.includes(environment) ?? true)
}
