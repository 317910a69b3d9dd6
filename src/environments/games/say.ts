import { ShaketableError } from '../../core/errors.js'
import { parseTemplate } from '../../core/form.js'
import type { Formula } from '../pddl/formula.js'
import type { Facts } from '../pddl/tables.js'
import type { GroundAction, Task } from '../pddl/task.js'
import type { Wording } from './wording.js'

/** A text with gaps: `literals[0] argument(places[0]) literals[1] …`. */
interface Pattern {
  readonly literals: readonly string[]
  readonly places: readonly number[]
}

/** The texts of the atoms and actions of one problem in a wording. Each is made once. */
export function createTexts(task: Task, wording: Wording) {
  const predicates = Array.from(task.problem.domain.predicates, ([name, arity]) => {
    const template = wording.facts.get(name)
    const pattern = template === undefined ? undefined : readPattern(template)
    return pattern?.places.every((place) => place < arity) ? pattern : plainPattern(name, arity)
  })
  const actions = task.actions.map(({ name }): Pattern => {
    const { template, ending } = wording.actions.get(name)!
    const { literals, slots } = parseTemplate(template)
    return { literals: [...literals.slice(0, -1), literals.at(-1)! + ending], places: [...slots.keys()] }
  })
  const named = (objects: readonly number[]): string[] => objects.map((object) => task.objects[object]!)
  const facts: string[] = []
  const sentences: string[] = []
  const commands: string[] = []
  const fact = (atom: number): string =>
    (facts[atom] ??= fill(predicates[task.table.predicateOf[atom]!]!, named(task.table.argumentsOf[atom]!)))
  return {
    /** An atom as in a goal. */
    fact,
    /** An atom as in an observation: the first letter in upper case, all others in lower case. */
    sentence: (atom: number): string => (sentences[atom] ??= capitalise(fact(atom))),
    /** An action as in a list. */
    action: (ground: GroundAction): string =>
      (commands[ground.number] ??= fill(actions[ground.action.number]!, named(ground.arguments))),
  }
}

/** See {@link createTexts}. */
export type ProblemTexts = ReturnType<typeof createTexts>

function fill({ literals, places }: Pattern, terms: readonly string[]): string {
  let text = literals[0]!
  places.forEach((place, index) => (text += terms[place]! + literals[index + 1]!))
  return text
}

/** Parses the text of a predicate: `{}` is the next argument, `{0}` the first. */
function readPattern(template: string): Pattern {
  const parts = template.split(/\{(\d{0,3})\}/)
  let next = 0
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    places: parts.filter((_, index) => index % 2 === 1).map((place) => (place === '' ? next++ : Number(place))),
  }
}

function plainPattern(name: string, arity: number): Pattern {
  return readPattern([name, ...Array<string>(arity).fill('{}')].join(' '))
}

/** A text with its first letter in upper case and all others in lower case, as Python's `str.capitalize()`. */
function capitalise(text: string): string {
  const [first = ''] = text
  // Where the upper case has two letters, as for ß, only the first of them stays.
  const [head = '', ...tail] = first.toUpperCase()
  return head + tail.join('').toLowerCase() + text.slice(first.length).toLowerCase()
}

/** One of the conditions that a goal consists of. */
export interface GoalPart {
  readonly text: string
  holds(facts: Facts): boolean
}

/**
 * The conditions of a goal: each part of an `and`.
 * @throws ShaketableError `bad-input` where one is not a fact
 */
export function goalParts({ problem, table, predicate, object }: Task, texts: ProblemTexts): readonly GoalPart[] {
  const partsOf = (formula: Formula): readonly GoalPart[] => {
    if (formula.kind === 'and') return formula.parts.flatMap(partsOf)
    if (formula.kind !== 'atom') {
      throw new ShaketableError('bad-input', `${problem.source.where}: expected a goal of facts, joined by 'and'.`)
    }
    const atom = table.number(
      predicate(formula.predicate)!,
      formula.terms.map((term) => object(term)!),
    )
    return [{ text: texts.fact(atom), holds: (facts) => facts.has(atom) }]
  }
  return partsOf(problem.goal)
}
