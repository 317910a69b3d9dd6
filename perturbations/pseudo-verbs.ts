import { type ActionForm, type Lens, createRandom, definePerturbation } from '../src/define.js'
import { changeLiteral, isFree, rewordShare, wordsIn } from './_forms.js'
import { addGlossary, isExplained } from './_glossary.js'
import { createPseudoWords } from './_pseudo-words.js'
import { findWords } from './vocabulary/index.js'

/**
 * Words that mean nothing in place of verbs: of the word of a form that its synonyms replace, else of the first one.
 * `glossary` says which of them the prompt explains: all, those of actions that the goal names, or none, so that they
 * have to be found out.
 */
export default definePerturbation({
  name: 'pseudo-verbs',
  summary: 'words that mean nothing in place of verbs: take {obj} from {recep} → drofel {obj} from {recep}',
  source: "this testbed, after clembench's AdventureGame (arXiv 2502.11733)",
  promise: 'harder',
  touches: 'action',
  graded: true,
  draws: Infinity,
  options: { glossary: ['full', 'goal', 'none'] },
  open(scene) {
    const { forms } = scene.briefing
    const taken = new Set(forms.flatMap(({ template }) => template.toLowerCase().match(/\p{L}+/gu) ?? []))
    const word = createPseudoWords(createRandom(`pseudo-verbs/${String(scene.draw)}`), taken)
    const verbs = new Map<string, string>()
    const synonyms = findWords('actions', scene.environment) ?? {}
    const verbOf = ({ template, origin = template }: ActionForm): string => {
      const wording = wordsIn(synonyms[origin]?.[0] ?? '')
      const words = wordsIn(template)
      return (
        words.find((word) => wording.length > 0 && wordsIn(origin).includes(word) && !wording.includes(word)) ??
        words[0] ??
        ''
      )
    }
    const pseudo = (verb: string): string => {
      let other = verbs.get(verb) ?? word()
      while (!isFree(scene, other)) other = word()
      verbs.set(verb, other)
      return other
    }
    for (const form of forms) pseudo(verbOf(form))
    const lens = rewordShare('pseudo-verbs', scene, (form) => {
      const verb = verbOf(form)
      return replaceVerb(form.template, verb, pseudo(verb))
    })
    const silenced = forms.filter(({ template, origin = template, ...form }) => {
      const isReworded = lens.form!(template) !== template
      return isReworded && !isExplained(scene, verbOf({ ...form, template: origin, origin }))
    })
    return silenced.length === 0 ? addGlossary(scene, lens) : withoutMeanings(lens, silenced)
  },
})

/** Replaces a verb of a template, and `up` behind it. */
function replaceVerb(template: string, verb: string, other: string): string {
  const isVerb = (word: string): string => (word.split(' ')[0]!.toLowerCase() === verb ? other : word)
  return changeLiteral(
    template,
    (literal) => wordsIn(literal).includes(verb),
    (literal) => literal.replace(/[\p{L}\p{N}-]+(?: up(?= ))?/gu, isVerb),
  )
}

/** Takes the meanings of forms out of the instruction. */
function withoutMeanings(lens: Lens, forms: readonly ActionForm[]): Lens {
  const meanings = forms.map(({ meaning }) => `: ${meaning}`).filter((text) => text !== ': ')
  return {
    ...lens,
    brief: (briefing) => ({
      instruction: briefing.instruction.map((piece) =>
        typeof piece === 'string' ? meanings.reduce((text, meaning) => text.replace(meaning, ''), piece) : piece,
      ),
    }),
  }
}
