import type { World } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import { printForm } from '../core/form.js'
import type { Subject, Verdict } from './law.js'
import type { Place } from './twins.js'
import { tidy } from './twins.js'

/**
 * Ways to say the same loosely. An environment need not tolerate any of them; where it does so with its own wording,
 * the new wording may be said so too, and the old wording must be refused so too.
 */
export const manners: readonly ((action: string) => string)[] = [
  (action) => action.toUpperCase(),
  (action) => action.toLowerCase(),
  (action) => ` \t${action}  `,
  (action) => `${action.trimEnd().replace(/\.$/, '')}.`,
  (action) => action.trim().replaceAll(' ', '   '),
  (action) => `Please ${action.trim()} now`,
  (action) => action.trim().replaceAll(' ', ' kindly '),
]

/**
 * Holds an action in its new wording, said in every manner that the environment puts up with, to what it means; and
 * sees to it that the environment itself does not take it for another action that is still said as ever.
 * @param expected its old wording
 */
export async function judgeLoosely(
  subject: Subject,
  { clean, perturbed, before }: Place,
  action: string,
  expected: string,
): Promise<Verdict | undefined> {
  const { meaning } = readIn(clean, expected)
  for (const manner of [(said: string) => said, ...manners]) {
    const [old, said] = [tidy(subject, manner(expected)), tidy(subject, manner(action))]
    if (await clean.understands?.(said)) {
      const other = readIn(clean, said)
      const { refused, command } = perturbed.toEnvironment(other.command)
      if (other.meaning !== meaning && !refused && readIn(clean, command).meaning === other.meaning) {
        const detail = `'${expected}' said as '${said}' collides with '${other.command}', which is still said so: the environment takes one for the other.`
        return { broken: detail, evidence: { before, action: said, expected, got: other.command } }
      }
    }
    const isManner = manner(expected) !== expected || manner(action) === action
    if (!isManner || !(await clean.understands?.(old))) continue
    if (clean.read && readIn(clean, old).meaning !== meaning) continue
    const { refused, command } = perturbed.toEnvironment(said)
    const isSame = command === old || readIn(clean, command).meaning === meaning
    if (!refused && isSame && (await perturbed.understands?.(said))) continue
    const got = refused ? 'refused' : command
    const detail = `'${old}' is understood, but in the new wording '${said}' is not, or as something else.`
    return { broken: detail, evidence: { before, action: said, expected, got } }
  }
  return undefined
}

/** An old wording that is still accepted where it is said loosely, as the environment puts up with. */
export async function acceptedLoosely(
  subject: Subject,
  { clean, perturbed }: Place,
  command: string,
): Promise<string | undefined> {
  for (const manner of manners) {
    const said = tidy(subject, manner(command))
    if ((await clean.understands?.(said)) && (await perturbed.understands?.(said))) return said
  }
  return undefined
}

/**
 * What an environment takes an action for: a wording of it, and what is the same however it is said. Both are the
 * action where only exact wording counts.
 */
function readIn(
  { read, briefing, names }: World,
  said: string,
): { readonly command: string; readonly meaning: string } {
  const { forms } = briefing
  const found = read?.(
    said,
    forms.map(({ template }) => template),
    names,
  )
  if (found === undefined) return { command: said, meaning: said }
  const { template, filling } = found
  // Several forms may be of one action, as a short and a long one; they say that they mean the same.
  const form = forms.find((one) => one.template === template)!
  const meaning = canonicalJson([form.meaning === '' ? template : form.meaning, filling])
  return { command: printForm(template, filling), meaning }
}
