import { createNameFinder, createRandom, definePerturbation, readForm } from '../src/define.js'
import { isFree } from './_forms.js'

/** Verbs that no environment here understands; stories may know some. */
const verbs =
  'polish sharpen measure photograph sketch tickle whistle-at salute weigh paint label fold rotate-slowly admire apologise-to shuffle tap count-twice praise circle'.split(
    ' ',
  )

/**
 * Further commands in each list, which the environment refuses as it refuses what it does not understand. They name
 * items that the real commands of the list name, so that they say nothing new. Intensity is their number for each real
 * command of the list.
 */
export default definePerturbation({
  name: 'decoy-actions',
  summary: 'lists have further commands, which are refused as unknown actions are',
  source: 'this testbed, after the grown tool lists of arXiv 2504.00914',
  promise: 'harder',
  touches: 'list',
  graded: true,
  draws: Infinity,
  open(scene) {
    const { names, briefing, intensity, draw } = scene
    const free = verbs.filter((verb) => isFree(scene, verb))
    const order = createRandom(`decoy-actions/${String(draw)}`).shuffle(free)
    const finder = createNameFinder(names)
    /** The longest name in a command; '' without one. */
    const itemIn = (command: string): string => {
      let longest = ''
      finder.replace(command, (name) => {
        if (name.length > longest.length) longest = name
        return name
      })
      return longest
    }
    const isCommand = (listed: string): boolean =>
      briefing.help.includes(listed) || briefing.forms.some(({ template }) => readForm(template, listed) !== undefined)
    return {
      lists: 'add',
      commands(list, { random }) {
        // A list of titles to search for has no commands.
        if (briefing.forms.length > 0 && !list.some(isCommand)) return list
        const wanted = Math.round(intensity * list.length)
        if (wanted === 0) return list
        const shown = new Set(list)
        const items = [...new Set(list.map(itemIn))]
        const decoys = order.flatMap((verb) => items.map((item) => `${verb} ${item}`.trim()))
        const chosen = random.shuffle(decoys.filter((decoy) => !shown.has(decoy))).slice(0, wanted)
        return random.shuffle([...list, ...chosen])
      },
    }
  },
})
