import type { VerifyOptions } from './options.js'
import type { Script, ScriptAction } from './script.js'
import { nameOf } from './turn.js'

/** What is wrong with an action. */
interface ActionFault {
  /** It is of no available action's form, or a parameter has a value that the script does not allow. */
  readonly rule: 'action' | 'value'
  readonly evidence: string
}

/**
 * Whether an action is one of a script's, with allowed values; undefined where it is. `seen` tells whether an
 * observation has mentioned a value before.
 */
export function checkAction(
  text: string,
  script: Script,
  options: Pick<VerifyOptions, 'match' | 'groups' | 'spelling' | 'newValues'>,
  seen: (value: string) => boolean,
): ActionFault | undefined {
  const action = text.replace(/[\r\n]+$/, '')
  if (action.length > script.longestAction) {
    const lengths = `${String(action.length)} characters long, more than the ${String(script.longestAction)}`
    return {
      rule: 'action',
      evidence: `${nameOf(action)} is ${lengths} that are tried with the patterns of this script`,
    }
  }
  let fault: ActionFault | undefined
  for (const available of script.actions) {
    const groups = available.pattern?.match(action, options.match)
    if (groups === undefined) continue
    const evidence = faultOfValues(available, groups, options, seen)
    if (evidence === undefined) return undefined
    fault ??= { rule: 'value', evidence }
  }
  return fault ?? { rule: 'action', evidence: noAction(action, script) }
}

function noAction(action: string, { actions }: Script): string {
  const templates = actions.map(({ template }) => template.slice(0, 60))
  const shown = templates.slice(0, 6).join(', ') + (templates.length > 6 ? `, … (${String(templates.length)})` : '')
  const unused = actions.filter(({ pattern }) => pattern === undefined).length
  const why = unused === 0 ? '' : `; the patterns of ${String(unused)} of them cannot be used`
  return `${nameOf(action)} is none of the available actions: ${shown}${why}`
}

function faultOfValues(
  { template, slots, pattern }: ScriptAction,
  values: readonly (string | undefined)[],
  options: Pick<VerifyOptions, 'groups' | 'spelling' | 'newValues'>,
  seen: (value: string) => boolean,
): string | undefined {
  const unnamed = pattern!.groups.flatMap((name, group) => (name === undefined ? [group] : []))
  const open = slots.filter(({ name }) => !pattern!.groups.includes(name))
  const isListed = slots.some((slot) => slot.values !== undefined)
  if (options.groups === 'one-to-one' && isListed && unnamed.length !== open.length) {
    return `the pattern of '${template.slice(0, 60)}' has ${String(unnamed.length)} groups without a name for ${String(open.length)} slots, so its values cannot be told apart`
  }
  for (const slot of slots) {
    const named = pattern!.groups.indexOf(slot.name)
    const group = named === -1 ? unnamed[open.indexOf(slot)] : named
    const value = group === undefined ? undefined : values[group]
    if (slot.values === undefined || value === undefined) continue
    if (isAllowed(value, slot.values, options.spelling)) continue
    if (options.newValues === 'seen' && value.trim() !== '' && seen(value)) continue
    const few = slot.values.slice(0, 6).map(nameOf).join(', ')
    const more = slot.values.length > 6 ? `, … (${String(slot.values.length)})` : ''
    return `the parameter ${slot.name.slice(0, 60)} of '${template.slice(0, 60)}' is ${nameOf(value)}, allowed are ${few}${more}`
  }
  return undefined
}

function isAllowed(value: string, allowed: readonly string[], spelling: VerifyOptions['spelling']): boolean {
  if (spelling === 'exact') return allowed.includes(value)
  return allowed.some((one) => folded(one) === folded(value))
}

/** Without regard to case and to how many spaces there are. */
function folded(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}
