import type { Example, World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import { parseTemplate } from '../core/form.js'
import { findForm } from '../core/mentions.js'
import { type PerturbedWorld, isPerturbed } from '../core/perturb.js'
import type { AppliedPerturbation, Lens } from '../core/perturbation.js'
import { type Part, type Piece, type Text, parts, pieceText, textOf } from '../core/text.js'
import { type TextTable, createTextTable } from './text-table.js'
import type { Evidence, Subject, Verdict } from './law.js'
import { aroundDifference, breaks, defineLaw, isChanged, isReplacing, watchHooks } from './law.js'
import { beginThrough, places, perturbWith, unknownAction } from './twins.js'

/** The fourth law. Each perturbation of a condition is compared with the state below it. */
export const untouched = defineLaw({
  name: 'untouched',
  summary:
    'Only names, quoted commands and action forms in scope differ. A lens that rewrites text keeps the names, kinds of item, numbers, forms, state words and relations in it, or what it lost is listed; whether its meaning stays otherwise is not checked, but shown.',
  applies: isReplacing,
  async check(subject) {
    let changed = false
    let open: Verdict | undefined
    for (const [index, perturbation] of subject.applied.entries()) {
      const verdict = await judgeOne(subject, subject.applied.slice(0, index), perturbation)
      if ('broken' in verdict) return verdict
      if ('unchecked' in verdict) open ??= verdict
      else changed ||= verdict.changed
    }
    return open ?? { changed }
  },
})

async function judgeOne(
  original: Subject,
  below: readonly AppliedPerturbation[],
  perturbation: AppliedPerturbation,
): Promise<Verdict> {
  const { subject, lenses } = watchHooks({ ...original, applied: [perturbation] })
  const begin = async () => {
    const clean = await beginThrough(subject, below)
    const opening = [...clean.opening, ...probes]
    const perturbed = perturbWith({ ...(await beginThrough(subject, below)), opening }, subject.applied, subject)
    const lens = lenses[0]!
    const names = createTextTable(clean, perturbed, [lens])
    const compare = createComparer(clean, perturbed, new Set(perturbation.scope ?? parts), lens, names)
    return { clean, opening, perturbed, lens, names, compare }
  }
  const mayLose = perturbation.perturbation.promise === 'harder' || perturbation.perturbation.promise === 'easier'
  const lost: { what: Set<string>; evidence?: Evidence } = { what: new Set() }
  const lose = ([what, expected, got]: Difference, before: readonly string[]): void => {
    lost.what.add(what)
    lost.evidence ??= { before, expected, got }
  }
  let changed = false
  let example: Evidence | undefined
  for await (const { clean, opening, perturbed, lens, names, compare, before, turns } of places(subject, begin)) {
    // If the twins diverge, the first law reports it; if an action failed, there is nothing to compare.
    if (turns !== undefined && (lens.act !== undefined || turns.clean.command !== turns.perturbed.command)) continue
    const difference =
      turns === undefined
        ? (compare(opening, perturbed.opening, 'observations') ?? compareBriefings(clean, perturbed, lens, compare))
        : compare(turns.clean.observation, turns.perturbed.observation, 'observations')
    const refused = turns === undefined && {
      clean: (await clean.step(unknownAction)).observation,
      perturbed: (await perturbed.step(unknownAction)).observation,
    }
    // An answer to an action that is not understood may say less.
    const mayShorten = lens.text !== undefined && lens.act === undefined
    changed ||= isChanged(perturbed)
    if (difference !== undefined) {
      const [broken, expected, got, isLoss] = difference
      const isRefusal = turns?.clean.understood === false && mayShorten
      if (!isLoss || !(mayLose || isRefusal)) return breaks(broken, before, expected, got)
      lose(difference, before)
    }
    const less = refused && mayShorten && compare(refused.clean, refused.perturbed, 'observations')
    if (less) lose(less, [unknownAction])
    if (meaningHooks.every((hook) => lens[hook] === undefined)) continue
    const texts = turns
      ? { clean: turns.clean.observation, perturbed: turns.perturbed.observation }
      : { clean: opening, perturbed: perturbed.opening }
    const reworded = (shown: typeof texts, at: readonly string[]) => findReworded(clean, perturbed, names, shown, at)
    example ??= reworded(texts, before) ?? (refused ? reworded(refused, [unknownAction]) : undefined)
  }
  if (lost.evidence !== undefined) {
    return { unchecked: `It leaves something out. ${[...lost.what].sort().join(' ')}`, evidence: lost.evidence }
  }
  if (example === undefined) return { changed }
  const what = meaningHooks.filter((hook) => lenses[0]![hook] !== undefined).join(' and ')
  return { unchecked: `No law can tell whether text that ${what} changed keeps its meaning.`, evidence: example }
}

/** Hooks that may return any text. */
const meaningHooks = ['text', 'brief', 'wrap'] as const

/** A text before and after a lens changed more of it than names and forms. */
function findReworded(
  clean: World,
  perturbed: World,
  names: TextTable,
  texts: { readonly clean: Text; readonly perturbed: Text },
  before: readonly string[],
): Evidence | undefined {
  const instructions = ({ briefing: { system, instruction, examples } }: World): string =>
    [system, proseOf(instruction), ...examples.map(({ opening }) => proseOf(opening))].join('\n')
  const pairs: readonly (readonly [string, string])[] = [
    [clean.briefing.goal, perturbed.briefing.goal],
    [proseOf(texts.clean), proseOf(texts.perturbed)],
    [instructions(clean), instructions(perturbed)],
  ]
  const pair = pairs.find(([from, to]) => names.respell(from) !== to)
  return pair && { before, ...aroundDifference(...pair) }
}

/** The prose of a text. */
function proseOf(text: Text): string {
  return text.filter((piece) => typeof piece === 'string').join('…')
}

type Difference = readonly [detail: string, expected: string, got: string, isLoss?: boolean]
type Compare = (from: Text, to: Text, part: Part) => Difference | undefined

function compareBriefings(
  { briefing: from }: World,
  { briefing: to }: World,
  lens: Lens,
  compare: Compare,
): Difference | undefined {
  const asText = ({ opening, exchanges }: Example): Text => [
    ...opening,
    ...exchanges.flatMap(({ action, observation }): Text => [{ command: action }, ...observation]),
  ]
  const instruction = (briefing: typeof from): Text => [
    briefing.system,
    ...briefing.instruction,
    ...(lens.text ? [] : [briefing.goal]),
    ...briefing.help.map((command) => ({ command })),
  ]
  const goals = lens.text && compare([from.goal], [to.goal], 'instruction')
  // A replaced briefing need not have anything in common with the original.
  if (goals !== undefined || lens.brief !== undefined) return goals
  return (
    compare(instruction(from), instruction(to), 'instruction') ??
    compare(from.examples.flatMap(asText), to.examples.flatMap(asText), 'examples')
  )
}

function createComparer(
  base: World,
  seen: PerturbedWorld,
  scope: ReadonlySet<Part>,
  lens: Lens,
  names: TextTable,
): Compare {
  const original = isPerturbed(base) ? base.original : base
  const templates = original.briefing.forms.map(({ template }) => template)
  const every = [...new Set([...original.names, ...original.briefing.examples.flatMap((example) => example.names)])]
  const meaning = (command: string): string => {
    const read = original.read?.(command, templates, every, true)
    return read === undefined ? command : canonicalJson(read)
  }
  const same = (command: string, action: string): boolean => {
    const { command: read } = seen.toEnvironment(action)
    const expected = isPerturbed(base) ? base.toEnvironment(command).command : command
    return read === expected || meaning(read) === meaning(expected)
  }
  /** Compares text that a lens may change: names, numbers and the accepted forms of action in it must stay. */
  const compareProse = (from: string, to: string, keeps: Keeps): Difference | undefined => {
    const respelled = names.respell(from)
    const loses = (what: string): Difference => [`Prose no longer ${what}.`, respelled, to, true]
    if ([names.mentioned, names.numbers].some((list) => !keeps(list(respelled), list(to))))
      return loses('mentions items or numbers that actions still use')
    const mentions = (template: string, text: string): readonly string[] =>
      findForm(template, text, names.at, true).map(() => '')
    const accepted = seen.briefing.forms.find(
      ({ template }, index) => !keeps(mentions(base.briefing.forms[index]!.template, from), mentions(template, to)),
    )
    if (accepted) return loses(`mentions '${accepted.template}', which is still the accepted wording`)
    const lost = respelled === to ? [] : names.wordsLost(respelled, to)
    return lost.length === 0 ? undefined : loses(`says ${lost.map((word) => `'${word}'`).join(', ')}`)
  }
  const comparePiece = (from: Piece, to: Piece | undefined, part: Part, keeps: Keeps): Difference | undefined => {
    const [expected, got] = [pieceText(from), to === undefined ? '' : pieceText(to)]
    if (to === undefined || typeof from !== typeof to) return ['A piece of text is missing.', expected, got]
    if (typeof from === 'string') {
      if (!scope.has(part)) return expected === got ? undefined : ['Text out of scope was changed.', expected, got]
      if (lens.text) return compareProse(expected, got, keeps)
      const respelled = names.respell(expected)
      return respelled === got ? undefined : ['Prose was changed, and not only the names in it.', respelled, got]
    }
    const reached = scope.has(!('form' in from) && part === 'observations' ? 'admissible' : part)
    if ('list' in from && lens.commands && reached) return undefined
    if (!reached) return expected === got ? undefined : ['Text out of scope was changed.', expected, got]
    const list = typeof to === 'string' || !('list' in to) ? [] : to.list
    const fits =
      'form' in from
        ? isSameForm(from, to)
        : 'list' in from
          ? from.list.length === list.length && from.list.every((command, index) => same(command, list[index]!))
          : same(expected, got)
    return fits ? undefined : ['A quoted command no longer means the same.', expected, got]
  }
  return (from, to, part) => {
    // A whole turn or the goal may say more; other prose says what it said.
    const isWhole = part === 'observations' || (part === 'instruction' && from.length === 1)
    const keeps = isWhole ? isWithin : isEqual
    const isSameShape = from.length === to.length && from.every((piece, index) => typeof piece === typeof to[index])
    if (lens.text && scope.has(part) && isWhole && !isSameShape)
      return compareProse(unlisted(from), unlisted(to), keeps)
    for (const [index, piece] of from.entries()) {
      const difference = comparePiece(piece, to[index], part, keeps)
      if (difference !== undefined) return difference
    }
    return undefined
  }
}

/** Text without its lists, which another law checks. */
function unlisted(text: Text): string {
  return textOf(text.filter((piece) => typeof piece === 'string' || !('list' in piece)))
}

/** Whether a changed text keeps the parts of the original: exactly these, or these and more. */
type Keeps = (kept: readonly string[], found: readonly string[]) => boolean
const isEqual: Keeps = (kept, found) => kept.join('\n') === found.join('\n')
const isWithin: Keeps = (kept, found) => {
  const left = [...found]
  return kept.every((one) => {
    const at = left.indexOf(one)
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  })
}

type FormPiece = Extract<Piece, { readonly form: string }>

function isSameForm(from: FormPiece, to: Piece): boolean {
  if (typeof to === 'string' || !('form' in to)) return false
  const slots = (template: string): string => [...parseTemplate(template).slots].sort().join(' ')
  return slots(from.form) === slots(to.form) && canonicalJson(from.fill ?? {}) === canonicalJson(to.fill ?? {})
}

/** Numbers that belong to no item, and a line that is empty, which a lens must leave alone. */
const probes = ['You have 10 turns, 3 of 12 steps, version 1.0, at 12:30 on day 1.', 'loc 12', '']
