import type { AtomTable, Facts } from './tables.js'
import type { GroundedLiteral, Plan, Step } from './plan.js'

/** The context of solving a query. */
export interface Frame {
  readonly table: AtomTable
  /** One object for each register. */
  readonly registers: Int32Array
  /** For each register a flag per object that it may hold; undefined for any object. */
  readonly allowed: readonly (Uint8Array | undefined)[]
  /** The objects that a register may hold. */
  readonly members: readonly (readonly number[])[]
}

/**
 * Calls `visit` at each solution of a plan, with the registers set, until it returns true.
 * @returns whether it returned true.
 */
export function solve(plan: Plan, frame: Frame, facts: Facts, visit: (conjunction: number) => boolean): boolean {
  for (let index = 0; index < plan.length; index++) {
    if (walk(plan[index]!, 0, index, frame, facts, visit)) return true
  }
  return false
}

/** Whether a plan has a solution. */
export function satisfied(plan: Plan, frame: Frame, facts: Facts): boolean {
  return solve(plan, frame, facts, yes)
}

const yes = (): boolean => true

/** Executes the steps from `from`. Only branching steps recurse, so the depth is at most the number of variables. */
function walk(
  steps: readonly Step[],
  from: number,
  conjunction: number,
  frame: Frame,
  facts: Facts,
  visit: (conjunction: number) => boolean,
): boolean {
  const { registers, table } = frame
  for (let at = from; at < steps.length; at++) {
    const step = steps[at]!
    switch (step.kind) {
      case 'scan': {
        const { terms, fresh } = step
        const candidates = candidatesOf(step, frame)
        for (let index = 0; index < candidates.length; index++) {
          const atom = candidates[index]!
          if (!facts.has(atom) || !bindTo(table.argumentsOf[atom]!, terms, fresh, frame)) continue
          if (walk(steps, at + 1, conjunction, frame, facts, visit)) return true
        }
        return false
      }
      case 'member': {
        for (const object of frame.members[step.register]!) {
          registers[step.register] = object
          if (walk(steps, at + 1, conjunction, frame, facts, visit)) return true
        }
        return false
      }
      case 'holds':
      case 'lacks': {
        const atom = table.find(step.predicate, step.terms, registers)
        if ((atom !== -1 && facts.has(atom)) !== (step.kind === 'holds')) return false
        break
      }
      case 'equal':
      case 'different':
        if ((registers[step.pair[0]] === registers[step.pair[1]]) !== (step.kind === 'equal')) return false
        break
      case 'never':
        if (satisfied(step.plan, frame, facts)) return false
        break
    }
  }
  return visit(conjunction)
}

/** The shortest list of atoms that contains all matches of a scan. */
function candidatesOf(step: GroundedLiteral & { readonly keys: readonly number[] }, frame: Frame): readonly number[] {
  const { predicate, terms, keys } = step
  if (keys.length === 0) return frame.table.ofPredicate(predicate)
  let best = frame.table.ofArgument(predicate, keys[0]!, frame.registers[terms[keys[0]!]!]!)
  for (let key = 1; key < keys.length; key++) {
    const list = frame.table.ofArgument(predicate, keys[key]!, frame.registers[terms[keys[key]!]!]!)
    if (list.length < best.length) best = list
  }
  return best
}

function bindTo(
  objects: readonly number[],
  terms: readonly number[],
  fresh: readonly boolean[],
  frame: Frame,
): boolean {
  for (let position = 0; position < objects.length; position++) {
    const object = objects[position]!
    const register = terms[position]!
    if (fresh[position] === true) {
      const allowed = frame.allowed[register]
      if (allowed !== undefined && allowed[object] === 0) return false
      frame.registers[register] = object
    } else if (frame.registers[register] !== object) return false
  }
  return true
}
