import { definePerturbation } from '../src/define.js'
import { changeWords } from './_prose.js'

/** Cyrillic letters that look like Latin ones. */
const lookalikes: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у' }

/** Letters of other scripts in observations. Intensity is the share of the words. */
export default definePerturbation({
  name: 'unicode',
  summary: 'letters of observations replaced by lookalikes, full-width or accented ones; item names and actions stay',
  source: 'this testbed, after the character noise of RoTBench (arXiv 2401.08326)',
  promise: 'harder',
  touches: 'observation',
  keepsMeaning: true,
  graded: true,
  options: { style: ['lookalikes', 'full-width', 'accents'] },
  open: (scene) => changeWords(scene, scene.intensity, (word) => spell(word, scene.options['style']!)),
})

function spell(word: string, style: string): string {
  if (style === 'lookalikes') return word.replace(/[aceopxy]/g, (letter) => lookalikes[letter]!)
  if (style === 'accents') return word.replace(/[aeiou]/g, '$&\u0301').normalize('NFC')
  return word.replace(/[A-Za-z]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0))
}
