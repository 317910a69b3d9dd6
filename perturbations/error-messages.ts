import { type Piece, definePerturbation } from '../src/define.js'

/**
 * What is answered to an action that is not understood: nothing of use, what kind of error it was, or which actions
 * there are. Lists of commands in the answer stay. Within a level the result should not move; compare levels with each
 * other in both directions, as an instructive answer can help.
 */
export default definePerturbation({
  name: 'error-messages',
  summary: 'another answer to actions that are not understood: opaque, typed or instructive',
  source: 'this testbed, after Schema First Tool APIs (arXiv 2603.13404)',
  promise: 'invariant',
  touches: 'observation',
  options: { level: ['opaque', 'typed', 'instructive'] },
  open({ briefing: { forms }, options }) {
    const level = options['level']
    const listed = forms.flatMap(({ template }, index): Piece[] => [index === 0 ? ' ' : ', ', { form: template }])
    const answer: readonly Piece[] =
      level === 'opaque'
        ? ['Nothing happened.']
        : level === 'typed'
          ? ['Unknown action: it is not one of the actions of this environment, or not possible now.']
          : ['Unknown action, or not possible now. The actions are:', ...listed, '.']
    return {
      text(pieces, { understood }) {
        if (understood !== false) return pieces
        const lists = pieces.filter((piece) => typeof piece !== 'string' && 'list' in piece)
        return lists.length === 0 ? answer : [...answer, ' ', ...lists]
      },
    }
  },
})
