import type { Example, World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import { parseTemplate } from '../core/form.js'
import { findForm } from '../core/mentions.js'
import { isPerturbed } from '../core/perturb.js'
import type { AppliedPerturbation, Part } from '../core/perturbation.js'
import { parts } from '../core/perturbation.js'
import type { Piece, Text } from '../core/text.js'
import { pieceText } from '../core/text.js'
import type { NameTable } from './expected-text.js'
import { createNameTable } from './expected-text.js'
import type { Subject, Verdict } from './law.js'
import { defineLaw, isChanged, watchProse } from './law.js'
import { probesFor } from './probes.js'
import { beginThrough, places, shake } from './twins.js'

/** The fourth law. Each perturbation of a column is held against what lies below it. */
export const untouched = defineLaw({
  name: 'untouched',
  summary:
    'Only names, quoted commands and action forms within reach differ; a lens that changes prose keeps the names and numbers in it.',
  promises: ['invariant', 'identity'],
  async check(subject) {
    let changed = false
    for (const [index, one] of subject.applied.entries()) {
      const verdict = await judgeOne(subject, subject.applied.slice(0, index), one)
      if (!('changed' in verdict)) return verdict
      changed ||= verdict.changed
    }
    return { changed }
  },
})

async function judgeOne(
  subject: Subject,
  below: readonly AppliedPerturbation[],
  one: AppliedPerturbation,
): Promise<Verdict> {
  const { watched, changesProse } = watchProse(one)
  const begin = async () => {
    const clean = await beginThrough(subject, below)
    const opening = [...clean.opening, ...probesFor(clean.names)]
    const shaken = shake(withOpening(await beginThrough(subject, below), opening), [watched], subject)
    return {
      clean,
      opening,
      shaken,
      compare: createComparer(clean, shaken, new Set(one.scope ?? parts), changesProse()),
    }
  }
  let changed = false
  for await (const { clean, opening, shaken, compare, before, turns } of places(subject, begin)) {
    // Where the twins part, the first law says so.
    if (turns !== undefined && turns.clean.command !== turns.shaken.command) continue
    const difference =
      turns === undefined
        ? (compare(opening, shaken.opening, 'observations') ?? compareBriefings(clean, shaken, compare))
        : compare(turns.clean.observation, turns.shaken.observation, 'observations')
    changed ||= isChanged(shaken)
    if (difference === undefined) continue
    const [broken, expected, got] = difference
    return { broken, evidence: { before, expected, got } }
  }
  return { changed }
}

type Difference = readonly [detail: string, expected: string, got: string]
type Compare = (from: Text, to: Text, part: Part) => Difference | undefined

function compareBriefings(
  { briefing: from }: World,
  { briefing: to }: World,
  compare: Compare,
): Difference | undefined {
  const asText = ({ opening, exchanges }: Example): Text => [
    ...opening,
    ...exchanges.flatMap(({ action, observation }): Text => [{ command: action }, ...observation]),
  ]
  const instruction = (briefing: typeof from): Text => [
    briefing.system,
    ...briefing.instruction,
    briefing.goal,
    ...briefing.help.map((command) => ({ command })),
  ]
  return (
    compare(instruction(from), instruction(to), 'instruction') ??
    compare(from.examples.flatMap(asText), to.examples.flatMap(asText), 'examples')
  )
}

function createComparer(base: World, seen: World, scope: ReadonlySet<Part>, changesProse: boolean): Compare {
  const names = createNameTable(base, seen)
  const original = isPerturbed(base) ? base.original : base
  const templates = original.briefing.forms.map(({ template }) => template)
  const every = [...new Set([...original.names, ...original.briefing.examples.flatMap((example) => example.names)])]
  const meaning = (command: string): string => {
    const read = original.read?.(command, templates, every, true)
    return read === undefined ? command : canonicalJson(read)
  }
  const same = (command: string, action: string): boolean => {
    const told = isPerturbed(seen) ? seen.toEnvironment(action).command : action
    const expected = isPerturbed(base) ? base.toEnvironment(command).command : command
    return told === expected || meaning(told) === meaning(expected)
  }
  const comparePiece = (from: Piece, to: Piece | undefined, part: Part): Difference | undefined => {
    const [expected, got] = [pieceText(from), to === undefined ? '' : pieceText(to)]
    if (to === undefined || typeof from !== typeof to) return ['A piece of text is missing.', expected, got]
    if (typeof from === 'string') {
      if (!scope.has(part)) return expected === got ? undefined : ['Text out of reach was changed.', expected, got]
      if (changesProse) return compareProse(expected, got, base, seen, names)
      const respelled = names.respell(expected)
      return respelled === got ? undefined : ['Prose was changed, and not only the names in it.', respelled, got]
    }
    const reached = scope.has('command' in from && part === 'observations' ? 'admissible' : part)
    if (!reached) return expected === got ? undefined : ['Text out of reach was changed.', expected, got]
    const fits = 'form' in from ? isSameForm(from, to) : same(expected, got)
    return fits ? undefined : ['A quoted command no longer means the same.', expected, got]
  }
  return (from, to, part) => {
    for (const [index, piece] of from.entries()) {
      const difference = comparePiece(piece, to[index], part)
      if (difference !== undefined) return difference
    }
    return undefined
  }
}

/** Prose that a lens may change: the names and numbers in it, and the accepted forms of action that it mentions, must still be there. */
function compareProse(from: string, to: string, base: World, seen: World, names: NameTable): Difference | undefined {
  const respelled = names.respell(from)
  const lists = [names.mentioned, names.numbers] as const
  for (const list of lists) {
    if (list(respelled).join('\n') !== list(to).join('\n')) {
      return [
        'Prose no longer mentions the items and numbers that it did, though actions still name them so.',
        respelled,
        to,
      ]
    }
  }
  const mentions = (template: string, text: string): number => findForm(template, text, names.at).length
  for (const [index, { template }] of base.briefing.forms.entries()) {
    const accepted = seen.briefing.forms[index]!.template
    if (mentions(template, from) !== mentions(accepted, to)) {
      return [`Prose no longer mentions '${accepted}', though that is still how it has to be said.`, respelled, to]
    }
  }
  return undefined
}

type FormPiece = Extract<Piece, { readonly form: string }>

function isSameForm(from: FormPiece, to: Piece): boolean {
  if (typeof to === 'string' || !('form' in to)) return false
  const slots = (template: string): string => [...parseTemplate(template).slots].sort().join(' ')
  return slots(from.form) === slots(to.form) && canonicalJson(from.fill ?? {}) === canonicalJson(to.fill ?? {})
}

/** A world with another opening; everything else is the world's own. */
function withOpening(world: World, opening: Text): World {
  return new Proxy(world, {
    get(target, key): unknown {
      const value: unknown = key === 'opening' ? opening : Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
