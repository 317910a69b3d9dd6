import { parseTemplate } from '../../core/form.js'
import type { Typed } from '../pddl/expression.js'
import type { Atom, Formula } from '../pddl/formula.js'
import { Registers, normalise } from '../pddl/normal-form.js'
import { planQuery } from '../pddl/plan.js'
import type { Frame } from '../pddl/solve.js'
import { satisfied } from '../pddl/solve.js'
import type { Facts } from '../pddl/tables.js'
import type { GroundAction, Task } from '../pddl/task.js'
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

/** A text with its first letter large and all others small, as Python's `str.capitalize()` gives it. */
export function capitalise(text: string): string {
  const [first = ''] = text
  const large = first.toUpperCase()
  // What becomes two letters in capitals, as ß does, has only the first of them large.
  const [head = '', ...tail] = large
  return head + tail.join('').toLowerCase() + text.slice(first.length).toLowerCase()
}

/** A condition in words: `not: b1 is on b2.`, `for some block x: x is clear.` */
function wordFormula(formula: Formula, sayings: Sayings): string {
  const inner = (part: Formula): string => wordFormula(part, sayings)
  const joined = (parts: readonly Formula[], word: string): string =>
    parts.map((part) => inner(part).replace(/[\s.]+$/, '')).join(` ${word} `)
  switch (formula.kind) {
    case 'atom':
      return sayings.predicate(formula.predicate, formula.terms.map(withoutMark))
    case 'equal':
      return `${withoutMark(formula.left)} is the same as ${withoutMark(formula.right)}`
    case 'not':
      return `not: ${inner(formula.part)}`
    case 'and':
    case 'or':
      return joined(formula.parts, formula.kind)
    case 'exists':
      return `for some ${wordVariables(formula.variables)}: ${inner(formula.part)}`
    case 'forall':
      return `for every ${wordVariables(formula.variables)}: ${inner(formula.part)}`
  }
}

function wordVariables(variables: readonly Typed[]): string {
  return variables.map(({ name, types }) => `${types.join(' or ')} ${withoutMark(name)}`).join(', ')
}

function withoutMark(term: string): string {
  return term.startsWith('?') ? term.slice(1) : term
}

/** One of the conditions that a goal consists of. */
export interface GoalPart {
  readonly text: string
  holds(facts: Facts): boolean
}

/** So many conditions of one `forall` are counted singly; more of them are one condition. */
const maxInstances = 1000

/** Takes a goal apart: what `and` joins, and what `forall` says of each object, are conditions of their own. */
export function goalParts(task: Task, sayings: Sayings): readonly GoalPart[] {
  return [...conjuncts(task, task.problem.goal)].map((formula): GoalPart => {
    if (formula.kind !== 'atom') {
      return { text: wordFormula(formula, sayings), holds: holdsIn(task, formula) }
    }
    const atom = task.table.number(task.predicate(formula.predicate)!, objectsOf(task, formula))
    return { text: sayings.fact(atom), holds: (facts) => facts.has(atom) }
  })
}

function* conjuncts(task: Task, formula: Formula): Generator<Formula> {
  if (formula.kind === 'and') {
    for (const part of formula.parts) yield* conjuncts(task, part)
    return
  }
  const instances = formula.kind === 'forall' ? instancesOf(task, formula) : undefined
  if (instances === undefined) yield formula
  else for (const instance of instances) yield* conjuncts(task, instance)
}

function instancesOf(
  task: Task,
  formula: Extract<Formula, { readonly variables: readonly Typed[] }>,
): readonly Formula[] | undefined {
  const members = formula.variables.map(({ types }) => task.types.members(types))
  if (members.reduce((product, { length }) => product * length, 1) > maxInstances) return undefined
  let bindings: ReadonlyMap<string, string>[] = [new Map()]
  formula.variables.forEach(({ name }, index) => {
    bindings = bindings.flatMap((binding) =>
      members[index]!.map((object) => new Map([...binding, [name, task.objects[object]!]])),
    )
  })
  return bindings.map((binding) => substitute(formula.part, binding))
}

function substitute(formula: Formula, binding: ReadonlyMap<string, string>): Formula {
  const name = (term: string): string => binding.get(term) ?? term
  switch (formula.kind) {
    case 'atom':
      return { ...formula, terms: formula.terms.map(name) }
    case 'equal':
      return { ...formula, left: name(formula.left), right: name(formula.right) }
    case 'not':
      return { ...formula, part: substitute(formula.part, binding) }
    case 'and':
    case 'or':
      return { ...formula, parts: formula.parts.map((part) => substitute(part, binding)) }
    case 'exists':
    case 'forall': {
      const hidden = new Set(formula.variables.map((variable) => variable.name))
      const inner = new Map([...binding].filter(([variable]) => !hidden.has(variable)))
      return { ...formula, part: substitute(formula.part, inner) }
    }
  }
}

function objectsOf(task: Task, { terms }: Atom): readonly number[] {
  return terms.map((term) => task.object(term)!)
}

function holdsIn(task: Task, formula: Formula): GoalPart['holds'] {
  const registers = new Registers()
  const query = normalise(formula, new Map(), registers)
  const plan = planQuery(query, registers, [], [], task.statistics)
  const frame: Frame = {
    table: task.table,
    registers: Int32Array.from(registers.names, (name) => (name === undefined ? 0 : task.object(name)!)),
    allowed: registers.types.map((types) => types && task.types.flags(types)),
    members: registers.types.map((types) => (types === undefined ? [] : task.types.members(types))),
  }
  return (facts) => satisfied(plan, frame, facts)
}
