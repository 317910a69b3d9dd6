import { definePerturbation } from 'shaketable'

/**
 * Changes nothing, but sends every text and every action through the whole machinery: it measures the noise of the
 * instrument.
 */
export default definePerturbation({
  name: 'placebo',
  summary: 'nothing at all, through the whole machinery',
  source: 'a control of this testbed',
  promise: 'identity',
  open: () => ({ form: (template) => template, name: (name) => name, prose: (text) => text }),
})
