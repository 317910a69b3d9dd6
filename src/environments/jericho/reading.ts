import type { ReadAction } from '../../core/environment.js'
import { type ActionForm, type Filling, literalLength, parseTemplate, readForm } from '../../core/form.js'
import type { Dictionary } from './dictionary.js'
import { checkAction, isCheck } from './forms.js'
import { type Grammar, type GrammarLine, type Token, directionOf, thingsIn } from './grammar.js'

interface ReaderOptions {
  readonly dictionary: Dictionary
  readonly grammar: Grammar
  /** The forms that the story may have. */
  readonly forms: readonly ActionForm[]
  /** All names of the episode. */
  readonly names: readonly string[]
}

/** What a sentence means to the story: its action, and the words for the things that it is about. */
interface Meaning {
  /** The story's number of the action with the number of its things, or the name of a direction. */
  readonly action: string
  readonly phrases: readonly (readonly string[])[]
}

const articles = new Set(['the', 'a', 'an'])
/** Words that Inform's and Infocom's parsers answer before they look for a verb. */
const parserWords = new Set(['again', 'g', 'oops', 'o', 'undo'])
const going: readonly string[] = ['go', 'walk']

/** Creates a reader of actions by the tables of a story, without playing it. */
export function createReader({ dictionary, grammar, forms: allForms, names }: ReaderOptions) {
  const keyOf = (word: string): string => dictionary.find(word)?.text ?? word
  const keysOf = (text: string): readonly string[] => dictionary.split(text).map(keyOf)
  const ownKeys = new Set(names.flatMap(keysOf))

  /** Whether a line may begin with this word; the name of a direction is a line by itself. */
  const begins = (word: string, isAlone: boolean): boolean => {
    const dictionaryWord = dictionary.find(word)
    if (dictionaryWord === undefined) return false
    return (
      parserWords.has(word) ||
      grammar.verbOf(dictionaryWord) !== undefined ||
      (isAlone && grammar.isDirection(dictionaryWord))
    )
  }
  const isKnown = (word: string): boolean => dictionary.find(word) !== undefined || /^\d+$/.test(word)

  const meaningOf = (words: readonly string[]): Meaning | undefined => {
    const [first = '', second = ''] = words
    const entry = dictionary.find(first)
    if (entry === undefined) return undefined
    const direction = words.length === 1 && grammar.isDirection(entry) ? directionOf(first) : undefined
    const verb = grammar.verbOf(entry)
    let best: Meaning | undefined
    let most = -1
    for (const { action, tokens } of verb?.lines ?? []) {
      const phrases = matchTokens(tokens, words.slice(1), keyOf)
      const literals = tokens.filter((token) => typeof token === 'object').length
      if (phrases === undefined || literals <= most) continue
      best = { action: keyOfAction(action, phrases.length), phrases }
      most = literals
    }
    const way = directionOf(second)
    if (verb !== undefined && words.length === 2 && way !== undefined && going.some((go) => verb.words.includes(go))) {
      return meaningOf([way]) ?? best
    }
    if (best !== undefined) return best
    return direction === undefined ? undefined : { action: direction, phrases: [] }
  }

  const wordsOf = (template: string): readonly string[] => {
    const { literals, slots } = parseTemplate(template)
    return literals.flatMap((literal, index) => [
      ...dictionary.split(literal),
      ...(index < slots.length ? [`{${slots[index]!}}`] : []),
    ])
  }
  const meanings = new Map<string, Meaning | undefined>()
  const meaningOfForm = (template: string): Meaning | undefined => {
    if (!meanings.has(template)) meanings.set(template, meaningOf(wordsOf(template)))
    return meanings.get(template)
  }

  /** The name that a phrase means, or the phrase itself where it has nothing to do with any name. */
  const resolve = (phrase: readonly string[], names: readonly string[]): string | undefined => {
    const words = phrase.filter((word) => !articles.has(word))
    if (words.length === 0) return undefined
    const keys = words.map(keyOf)
    const partial = names.filter((name) => {
      const all = keysOf(name)
      return keys.every((key) => all.includes(key))
    })
    const exact = partial.find((name) => keysOf(name).length === keys.length)
    if (exact !== undefined || partial.length === 1) return exact ?? partial[0]
    if (partial.length > 1) return words.join(' ')
    return words.every(isKnown) && !keys.some((key) => ownKeys.has(key)) ? words.join(' ') : undefined
  }
  const nameOf = (text: string, names: readonly string[]): string | undefined => resolve(dictionary.split(text), names)

  const known = new Set<string>()
  const forms = allForms.filter(({ template }) => {
    const action = template === checkAction ? template : meaningOfForm(template)?.action
    if (action === undefined || known.has(action)) return false
    known.add(action)
    return true
  })

  return {
    /** Of the given forms those that the story has, without a second one of the same meaning. */
    forms,
    /** The one of these forms that means what a line of the grammar does. */
    formOf(line: GrammarLine): ActionForm | undefined {
      const key = keyOfAction(line.action, thingsIn(line))
      return forms.find(({ template }) => meaningOfForm(template)?.action === key)
    },
    /** Whether an action may begin with a word; the name of a direction counts. */
    knowsVerb: (word: string): boolean => begins(word.toLowerCase(), true),
    /** Whether the story knows the verb and all other words of an action. */
    knows(action: string): boolean {
      const words = dictionary.split(action)
      return words.length > 0 && begins(words[0]!, words.length === 1) && words.every(isKnown)
    },
    /** See World.read. */
    read(action: string, templates: readonly string[], names: readonly string[]): ReadAction | undefined {
      if (isCheck(action) && templates.includes(checkAction)) return { template: checkAction, filling: {} }
      const text = action.toLowerCase().trim().replace(/\s+/g, ' ')
      let best: ReadAction | undefined
      let most = 0
      for (const template of templates) {
        const length = literalLength(template)
        if (length <= most) continue
        const filling = readForm(lowerLiterals(template), text, (value) => nameOf(value, names) !== undefined)
        if (filling === undefined) continue
        const named = Object.entries(filling).map(([slot, value]) => [slot, nameOf(value, names)!])
        best = { template, filling: Object.fromEntries(named) as Filling }
        most = length
      }
      if (best !== undefined) return best
      const meant = meaningOf(dictionary.split(action))
      if (meant === undefined) return undefined
      // A form that was reworded is read by its new words alone, and not by what the story's dictionary makes of them.
      const index = forms.findIndex(({ template }) => meaningOfForm(template)?.action === meant.action)
      const template = forms[index]?.template
      if (template === undefined || templates[index] !== template) return undefined
      const filling: Record<string, string> = {}
      for (const [place, [slot = '']] of meaningOfForm(template)!.phrases.entries()) {
        const name = resolve(meant.phrases[place]!, names)
        if (name === undefined) return undefined
        filling[slot.slice(1, -1)] = name
      }
      return { template, filling }
    },
  }
}

function keyOfAction(action: number, things: number): string {
  return `${String(action)}/${String(things)}`
}

/** A template with its words, but not its slots, in lower case. */
function lowerLiterals(template: string): string {
  const { literals, slots } = parseTemplate(template)
  return literals
    .map((literal, index) => literal.toLowerCase() + (index < slots.length ? `{${slots[index]!}}` : ''))
    .join('')
}

/** The words at each place for a thing, if words fit the tokens; every such place has at least one word. */
function matchTokens(
  tokens: readonly Token[],
  words: readonly string[],
  keyOf: (word: string) => string,
): readonly (readonly string[])[] | undefined {
  const phrases: (readonly string[])[] = []
  const match = (token: number, word: number): boolean => {
    const here = tokens[token]
    if (here === undefined) return word === words.length
    if (word >= words.length) return false
    if (typeof here === 'object') return here.includes(keyOf(words[word]!)) && match(token + 1, word + 1)
    // A thing ends where the next word of the line is said, and else with the sentence.
    const next = tokens[token + 1]
    for (let end = word + 1; end <= words.length; end++) {
      const isEnd = end === words.length || typeof next !== 'object' || next.includes(keyOf(words[end]!))
      if (!isEnd) continue
      phrases.push(words.slice(word, end))
      if (match(token + 1, end)) return true
      phrases.pop()
    }
    return false
  }
  return match(0, 0) ? phrases : undefined
}
