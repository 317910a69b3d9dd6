import { definePerturbation } from '../src/define.js'
import { changeWords } from './_prose.js'

/** Observations in other letters. Intensity is the share of the words. */
export default definePerturbation({
  name: 'letter-case',
  summary: 'observations in capitals or small letters; item names and actions stay as they have to be typed',
  source: 'this testbed, after the case variants of prompts in HAL (arXiv 2602.16666)',
  promise: 'invariant',
  touches: 'observation',
  graded: true,
  options: { style: ['capitals', 'small'] },
  open: (scene) =>
    changeWords(scene, scene.intensity, (word) =>
      scene.options['style'] === 'small' ? word.toLowerCase() : word.toUpperCase(),
    ),
})
