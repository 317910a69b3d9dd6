import { definePerturbation } from 'shaketable'

/** Lists of commands are shown empty; every command can still be said. Less is known, so it can only get harder. */
export default definePerturbation({
  name: 'list-visibility',
  summary: 'lists of commands are never shown, or shown in part',
  source: 'this testbed, after the drop without lists in arXiv 2603.12011',
  promise: 'harder',
  graded: true,
  open: ({ intensity }) => ({
    lists: 'hide',
    commands: (list, { random }) => {
      const hidden = new Set(random.shuffle([...list.keys()]).slice(0, Math.round(intensity * list.length)))
      return list.filter((_, index) => !hidden.has(index))
    },
  }),
})
