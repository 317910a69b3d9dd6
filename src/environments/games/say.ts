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

/** The texts of the atoms and actions of one problem. Each is made once. */
export interface ProblemTexts {
  /** A predicate with any terms. */
  predicate(name: string, terms: readonly string[]): string
  /** An atom as in a goal. */
  fact(atom: number): string
  /** An atom as in an observation: the first letter in upper case, all others in lower case. */
  sentence(atom: number): string
  /** An action as in a list. */
  action(ground: GroundAction): string
}

/** A text with gaps: `literals[0] argument(places[0]) literals[1] …`. */
interface Pattern {
  readonly literals: readonly string[]
  readonly places: readonly number[]
}

/** The texts of a problem in a wording. */
export function createTexts(task: Task, wording: Wording): ProblemTexts {
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

/** Parses the text of a predicate: `{}` is the next argument, `{0}` the first. */
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

/** A text with its first letter in upper case and all others in lower case, as Python's `str.capitalize()`. */
export function capitalise(text: string): string {
  const [first = ''] = text
  // Where the upper case has two letters, as for ß, only the first of them stays.
  const [head = '', ...tail] = first.toUpperCase()
  return head + tail.join('').toLowerCase() + text.slice(first.length).toLowerCase()
}

/** A condition in words: `not: b1 is on b2.`, `for some block x: x is clear.` */
function wordFormula(formula: Formula, texts: ProblemTexts): string {
  const inner = (part: Formula): string => wordFormula(part, texts)
  const joined = (parts: readonly Formula[], word: string): string =>
    parts.map((part) => inner(part).replace(/(?<![\s.])[\s.]+$/, '')).join(` ${word} `)
  switch (formula.kind) {
    case 'atom':
      return texts.predicate(formula.predicate, formula.terms.map(withoutMark))
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

/** A `forall` with more conditions than this counts as one condition. */
const maxInstances = 1000

/** The conditions of a goal: each part of an `and` and each instance of a `forall` is one. */
export function goalParts(task: Task, texts: ProblemTexts): readonly GoalPart[] {
  return [...conjuncts(task, task.problem.goal)].map((formula): GoalPart => {
    if (formula.kind !== 'atom') {
      return { text: wordFormula(formula, texts), holds: holdsIn(task, formula) }
    }
    const atom = task.table.number(task.predicate(formula.predicate)!, objectsOf(task, formula))
    return { text: texts.fact(atom), holds: (facts) => facts.has(atom) }
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
