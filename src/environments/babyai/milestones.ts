import type { Progress } from './labelled-progress.js'
import type { Simulation, Target } from './simulator/simulation.js'

/**
 * Sub-goals of our own, read off the instruction where no label file is given. Each single deed counts for: a thing that it is about was seen; for
 * `put … next to …` also that it was held and that what it goes beside was seen; and the deed was done, at a time when it counted (which
 * stands for its others too). A milestone that was reached stays so; progress is the share of them, and 1 when every deed is done.
 */
export function createMilestones(simulation: Simulation): Progress {
  const reached = simulation.deeds.map(({ deed }) => ({
    seen: false,
    held: false,
    besideSeen: false,
    long: deed.verb === 'putnext',
  }))
  const whole = reached.reduce((sum, { long }) => sum + (long ? 4 : 2), 0)
  return {
    hear() {
      const { board } = simulation
      const inView = new Set(simulation.view())
      const sees = (things: Target['things']): boolean => things.some((thing) => inView.has(thing))
      const done = simulation.done()
      if (done.every(Boolean)) return 1
      let count = 0
      simulation.deeds.forEach(({ things, beside }, index) => {
        const one = reached[index]!
        const isDone = done[index]!
        one.seen ||= isDone || sees(things)
        one.held ||= isDone || (board.carrying !== undefined && things.includes(board.carrying))
        one.besideSeen ||= isDone || sees(beside)
        const marks = [one.seen, isDone, ...(one.long ? [one.held, one.besideSeen] : [])]
        count += marks.filter(Boolean).length
      })
      return count / whole
    },
  }
}
