import { type Piece, definePerturbation, textOf } from '../src/define.js'

/** Of an observation, at least so many characters are left. */
const minLength = 20

/**
 * The end of each observation is cut off, but for the opening and lists of commands. Intensity is the share of its
 * characters; what was cut can be seen nowhere else until it is said again.
 */
export default definePerturbation({
  name: 'truncated-observation',
  summary: 'the end of each observation is cut off; the opening stays',
  source: 'this testbed, after the partial responses of HAL and AgentNoiseBench (arXiv 2602.11348)',
  promise: 'harder',
  touches: 'observation',
  graded: true,
  open: ({ intensity }) => ({
    text(pieces, { part, turn }) {
      const length = textOf(pieces).length
      const end = Math.max(minLength, Math.round(length * (1 - intensity / 2)))
      if (part !== 'observations' || turn === 0 || end >= length) return pieces
      let left = end
      return pieces.flatMap((piece): Piece[] => {
        if (typeof piece !== 'string') return [piece]
        const kept = piece.slice(0, left)
        left -= kept.length
        return kept === '' ? [] : [kept === piece ? kept : `${kept.trimEnd()}…`]
      })
    },
  }),
})
