import { type World, definePerturbation } from '../src/define.js'

/**
 * When lists of commands are shown: `never`, `on-request` (after a command such as `check valid actions`, as the
 * shipped environments do by themselves), or `always`, below every observation. Every command can be said all the same.
 * Less information can only hurt; `always` gives more, so it can only help. Intensity is the share of the commands that
 * are hidden, or under `always` added; an environment that cannot list them at once adds none.
 */
export default definePerturbation({
  name: 'list-visibility',
  version: '2',
  summary: 'lists of commands are shown never, on request, or always',
  source: 'this testbed, after the drop without lists in arXiv 2603.12011',
  promise: 'harder',
  touches: 'list',
  promises: { 'shown=always': 'easier' },
  graded: true,
  options: { shown: ['never', 'on-request', 'always'] },
  open({ intensity, options, briefing: { help } }) {
    const { shown } = options
    if (shown === 'always') {
      let below: World | undefined
      return {
        wrap: (world) => (below = world),
        text(pieces, { part, commands }) {
          if (part !== 'observations') return pieces
          const possible = commands === undefined && intensity > 0 ? below?.admissible?.() : undefined
          if (possible === undefined || !Array.isArray(possible)) return pieces
          const list = (possible as readonly string[]).slice(0, Math.ceil(intensity * possible.length))
          return [...pieces, '\nPossible now: ', { list }]
        },
      }
    }
    let isRequested = false
    return {
      lists: 'hide',
      act(action) {
        isRequested = shown === 'on-request' && help.includes(action.trim().toLowerCase())
        return undefined
      },
      commands(list, { random }) {
        if (isRequested) return list
        const hidden = new Set(random.shuffle([...list.keys()]).slice(0, Math.round(intensity * list.length)))
        return list.filter((_, index) => !hidden.has(index))
      },
    }
  },
})
