import { parseTemplate } from '../../core/form.js'
import type { GroundAction, Task } from '../pddl/task.js'
import { capitalise } from './capitalise.js'
import type { Wording } from './wording.js'

/** What is said of the atoms and actions of one problem. Each is worded once. */
export interface Sayings {
  /** Of a predicate, with anything for its terms. */
  predicate(name: string, terms: readonly string[]): string
  /** Of an atom, as a goal has it. */
  fact(atom: number): string
  /** Of an atom, as an observation has it: the first letter large, all others small. */
  sentence(atom: number): string
  /** Of an action, as a list has it. */
  action(ground: GroundAction): string
}

/** A text with gaps: `literals[0] argument(places[0]) literals[1] …`. */
interface Pattern {
  readonly literals: readonly string[]
  readonly places: readonly number[]
}

/** Puts a problem into words. */
export function createSayings(task: Task, wording: Wording): Sayings {
  const predicates = Array.from(task.problem.domain.predicates, ([name, arity]) => {
    const template = wording.facts.get(name)
    const pattern = template === undefined ? undefined : readPattern(template)
    return pattern?.places.every((place) => place < arity) ? pattern : plainPattern(name, arity)
  })
  const actions = task.actions.map(({ name }): Pattern => {
    const { template, ending, parameters } = wording.actions.get(name)!
    const { literals } = parseTemplate(template)
    return { literals: [...literals.slice(0, -1), literals.at(-1)! + ending], places: parameters }
  })
  const named = (objects: readonly number[]): string[] => objects.map((object) => task.objects[object]!)
  const facts: string[] = []
  const sentences: string[] = []
  const commands: string[] = []
  const fact = (atom: number): string =>
    (facts[atom] ??= fill(predicates[task.table.predicateOf[atom]!]!, named(task.table.argumentsOf[atom]!)))
  return {
    predicate: (name, terms) => fill(predicates[task.predicate(name)!]!, terms),
    fact,
    sentence: (atom) => (sentences[atom] ??= capitalise(fact(atom))),
    action: (ground) => (commands[ground.number] ??= fill(actions[ground.action.number]!, named(ground.arguments))),
  }
}

function fill({ literals, places }: Pattern, terms: readonly string[]): string {
  let text = literals[0]!
  places.forEach((place, index) => (text += terms[place]! + literals[index + 1]!))
  return text
}

/** Reads what is said of a predicate: `{}` is the next argument, `{0}` the first. */
export function readPattern(template: string): Pattern {
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
