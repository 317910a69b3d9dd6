import type { Condition } from './condition.js'
import { partsOf } from './condition.js'
import type { GroundTask } from './ground-task.js'

/**
 * A ground task in which nothing ceases to hold, as rules "when all of the body, then all of the heads". There is a proposition for
 * each atom that holds (its number), for each that must not somewhere, and for each disjunction.
 */
export interface Rules {
  readonly propositions: number
  /** The propositions that say that an atom does not hold, with its number. */
  readonly absent: readonly { readonly proposition: number; readonly atom: number }[]
  /** The propositions of rule r's body are `bodies[bodyStart[r]]` to `bodies[bodyStart[r + 1] - 1]`. */
  readonly bodyStart: Int32Array
  readonly bodies: Int32Array
  readonly headStart: Int32Array
  readonly heads: Int32Array
  /** The rules with proposition p in their body are `users[userStart[p]]` to `users[userStart[p + 1] - 1]`. */
  readonly userStart: Int32Array
  readonly users: Int32Array
  /** The operator that a rule belongs to; -1 for those of disjunctions, which cost nothing. */
  readonly operatorOf: Int32Array
  /** The propositions that each part of the goal means. */
  readonly goals: readonly (readonly number[])[]
  /** The proposition of a literal; undefined for one that no condition asks for. */
  literal(atom: number, holds: boolean): number | undefined
}

interface Rule {
  readonly body: readonly number[]
  readonly heads: readonly number[]
  readonly operator: number
}

/** Writes a task as rules. */
export function rulesOf(task: GroundTask): Rules {
  const absentOf = new Map<number, number>()
  const rules: Rule[] = []
  let propositions = task.atoms.length

  /** The propositions that together mean a condition. */
  const bodyOf = (condition: Condition): readonly number[] => {
    if (typeof condition === 'boolean') return []
    if (condition.kind === 'all') return [...new Set(condition.parts.flatMap(bodyOf))]
    if (condition.kind === 'any') {
      const option = propositions++
      for (const part of condition.parts) rules.push({ body: bodyOf(part), heads: [option], operator: -1 })
      return [option]
    }
    if (condition.holds) return [condition.atom]
    let absent = absentOf.get(condition.atom)
    if (absent === undefined) {
      absent = propositions++
      absentOf.set(condition.atom, absent)
    }
    return [absent]
  }

  const goals = partsOf(task.goal).map(bodyOf)
  const bodies = task.operators.map(({ condition, effects }) => {
    const shared = bodyOf(condition)
    return effects.map((effect) => [...new Set([...shared, ...bodyOf(effect.condition)])])
  })
  task.operators.forEach(({ effects }, operator) => {
    effects.forEach(({ adds, deletes }, index) => {
      const absent = deletes.flatMap((atom) => absentOf.get(atom) ?? [])
      rules.push({ body: bodies[operator]![index]!, heads: [...adds, ...absent], operator })
    })
  })
  const used = rules.filter(({ heads }) => heads.length > 0)

  const users: number[][] = Array.from({ length: propositions }, () => [])
  used.forEach(({ body }, rule) => {
    for (const proposition of body) users[proposition]!.push(rule)
  })
  const body = pack(used.map((rule) => rule.body))
  const head = pack(used.map((rule) => rule.heads))
  const user = pack(users)
  return {
    propositions,
    absent: [...absentOf].map(([atom, proposition]) => ({ proposition, atom })),
    bodyStart: body.start,
    bodies: body.values,
    headStart: head.start,
    heads: head.values,
    userStart: user.start,
    users: user.values,
    operatorOf: Int32Array.from(used, ({ operator }) => operator),
    goals,
    literal: (atom, holds) => (holds ? atom : absentOf.get(atom)),
  }
}

function pack(lists: readonly (readonly number[])[]): { readonly start: Int32Array; readonly values: Int32Array } {
  const start = new Int32Array(lists.length + 1)
  lists.forEach((list, index) => (start[index + 1] = start[index]! + list.length))
  const values = new Int32Array(start[lists.length]!)
  lists.forEach((list, index) => values.set(list, start[index]))
  return { start, values }
}
