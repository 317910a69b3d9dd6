import { messageOf } from '../core/errors.js'
import { commutes } from './commutes.js'
import { dose, identity } from './dose.js'
import { type Finding, type Law, type Subject, watchHooks } from './law.js'
import { newInformation } from './new-information.js'
import { listed, oldWording } from './old-wording.js'
import { draws, sameSeed, schedule } from './randomness.js'
import { roundTrip } from './round-trip.js'
import { oneSided, solution } from './solution.js'
import { beginThrough } from './twins.js'
import { untouched } from './untouched.js'

export type { Evidence, Finding, Law, Subject } from './law.js'

/** The laws, in the order of reports. */
export const laws: readonly Law[] = [
  roundTrip,
  solution,
  oldWording,
  untouched,
  sameSeed,
  commutes,
  identity,
  listed,
  schedule,
  newInformation,
  dose,
  oneSided,
  draws,
]

/**
 * Checks the laws that apply to a subject. Errors of the environment itself are thrown. A lens that cannot be opened
 * fails all laws in one finding with the law `opens`.
 */
export async function checkLaws(subject: Subject, checked = laws): Promise<readonly Finding[]> {
  await beginThrough(subject, [])
  const watched = watchHooks(subject)
  try {
    await beginThrough(watched.subject, watched.subject.applied)
  } catch (thrown) {
    return [{ law: 'opens', outcome: 'fails', detail: messageOf(thrown) }]
  }
  const findings: Finding[] = []
  for (const law of checked) {
    const { hook } = law
    const hasHook = hook === undefined || watched.lenses.some((lens) => lens[hook] !== undefined)
    if (hasHook && law.applies(subject.applied)) findings.push(await law.check(subject, watched))
  }
  return findings
}
