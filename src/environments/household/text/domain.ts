import { packagedText } from '../../../files/packaged.js'

const help = `
  (:action help
    :parameters (?a - agent)
    :precondition ()
    :effect (checked ?a))
`

/** The domain of the old generation. */
const domain = packagedText('src/environments/household/text/domain.pddl')

/**
 * The PDDL domain of a generation: what ALFWorld's `alfred.pddl` allows, with the same action and parameter names. Only
 * `new` knows `help`.
 */
export function domainText(generation: Generation): string {
  return generation === 'old' ? domain() : domain().replace(/\)\n$/, () => `${help})\n`)
}

/**
 * The two releases of ALFWorld's game data: `old` is 0.2.2 (alfworld up to 0.3), `new` is 0.4.2 (alfworld from 0.4 on).
 */
export type Generation = 'old' | 'new'

/** Both generations, in the order of their release. */
export const generations: readonly Generation[] = ['old', 'new']
