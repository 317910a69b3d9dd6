import { definePerturbation } from '../src/define.js'

/**
 * Changes nothing, but passes every text and action through the perturbation code: it measures the noise of the
 * testbed.
 */
export default definePerturbation({
  name: 'placebo',
  summary: 'nothing at all, through the whole machinery',
  source: 'a control of this testbed',
  promise: 'identity',
  open: () => ({ form: (template) => template, name: (name) => name, text: (pieces) => pieces }),
})
