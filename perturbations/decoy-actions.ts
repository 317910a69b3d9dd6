import { createRandom, definePerturbation } from 'shaketable'

/** Verbs that no environment here understands. */
const verbs =
  'polish sharpen measure photograph sketch tickle whistle-at salute weigh paint label fold rotate-slowly admire apologise-to shuffle tap count-twice praise circle'.split(
    ' ',
  )

/**
 * Further commands in each list, which the environment refuses as it refuses what it does not understand. Intensity is
 * their number for each real command of the list.
 */
export default definePerturbation({
  name: 'decoy-actions',
  summary: 'lists have further commands, which are refused as unknown actions are',
  source: 'this testbed, after the grown tool lists of arXiv 2504.00914',
  promise: 'harder',
  graded: true,
  draws: Infinity,
  open({ names, intensity, draw }) {
    const random = createRandom(`decoy-actions/${String(draw)}`)
    const items = names.length === 0 ? [''] : names
    const decoys = [...new Set(items.flatMap((item) => verbs.map((verb) => `${verb} ${item}`.trim())))]
    return {
      lists: 'add',
      commands(list, moment) {
        const own = new Set(list)
        const chosen = moment.random.shuffle(random.shuffle(decoys).filter((decoy) => !own.has(decoy)))
        return moment.random.shuffle([...list, ...chosen.slice(0, Math.round(intensity * list.length))])
      },
    }
  },
})
