import { ShaketableError } from '../../../core/errors.js'
import { quote } from '../../pddl/expression.js'
import type { Generation } from '../text/domain.js'
import { goalPlaceholder } from '../text/grammar.js'
import type { GameFile } from './game-file.js'

/** A parsed twl2 text: the wording of each action, and the rules of the grammar. */
export interface GrammarDocument {
  /** By action name in lower case. */
  readonly actions: ReadonlyMap<string, GrammarAction>
  /** The alternatives of each symbol, in order. */
  readonly rules: ReadonlyMap<string, readonly RuleSource[]>
}

/** The wording of one action. */
interface GrammarAction {
  readonly template: string
  readonly feedback: string
}

/** One alternative of a symbol: its text, and the query that must have a solution; empty for none. */
interface RuleSource {
  readonly text: string
  readonly condition: string
}

const maxGrammarLength = 1_000_000

/**
 * Reads a twl2 document: `grammar :: """JSON""";` and `action NAME { template :: "…"; feedback :: "…"; … }` in any
 * order. A later definition of a symbol replaces an earlier one.
 * @throws ShaketableError `bad-input` naming the line.
 */
export function readGrammarDocument(text: string, where: string): GrammarDocument {
  if (text.length > maxGrammarLength) {
    const message = `${where}: expected a grammar of at most ${maxGrammarLength} characters, got ${text.length}.`
    throw new ShaketableError('bad-input', `${message} Use the grammar that came with the game.`)
  }
  const actions = new Map<string, GrammarAction>()
  const rules = new Map<string, readonly RuleSource[]>()
  const reader = new Reader(text, where)
  while (!reader.atEnd()) {
    const start = reader.offset()
    const word = reader.word('"grammar" or "action"')
    if (word === 'grammar') readRules(reader, start, reader.block(), rules)
    else if (word === 'action') {
      const name = reader.word('the name of an action')
      actions.set(name.toLowerCase(), readAction(reader, start, name, rules))
    } else reader.fail(start, `expected "grammar" or "action", got ${quote(word)}`)
  }
  return { actions, rules }
}

function readAction(
  reader: Reader,
  start: number,
  name: string,
  rules: Map<string, readonly RuleSource[]>,
): GrammarAction {
  const fields = new Map<string, string>()
  reader.token('{')
  while (!reader.takes('}')) {
    const at = reader.offset()
    const field = reader.word('a field of an action')
    if (field === 'template' || field === 'feedback') fields.set(field, reader.string())
    else if (field === 'pddl') reader.block()
    else if (field === 'grammar') fields.set(field, reader.block())
    else reader.fail(at, `expected 'template', 'feedback', 'pddl' or 'grammar', got ${quote(field)}`)
  }
  const grammar = fields.get('grammar')
  if (grammar !== undefined) readRules(reader, start, withoutComments(grammar), rules)
  const template = fields.get('template')
  const feedback = fields.get('feedback')
  if (template === undefined || feedback === undefined) {
    reader.fail(start, `expected a template and a feedback for action ${quote(name)}, got only a part`)
  }
  return { template, feedback }
}

const withoutComments = (block: string): string =>
  block
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')

function readRules(reader: Reader, at: number, json: string, rules: Map<string, readonly RuleSource[]>): void {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    reader.fail(at, 'expected JSON between the triple quotes, got something else', cause)
  }
  if (!isObject(value)) reader.fail(at, 'expected a JSON object of symbols, got another value')
  for (const [symbol, alternatives] of Object.entries(value)) {
    if (!Array.isArray(alternatives))
      reader.fail(at, `expected a list of alternatives for symbol ${quote(symbol)}, got another value`)
    rules.set(
      symbol,
      alternatives.map((alternative: unknown): RuleSource => {
        const text = isObject(alternative) ? alternative['rhs'] : undefined
        const condition = isObject(alternative) ? (alternative['condition'] ?? '') : ''
        if (typeof text !== 'string' || typeof condition !== 'string') {
          reader.fail(at, `expected "rhs" and "condition" of symbol ${quote(symbol)} to be strings, got another value`)
        }
        return { text, condition }
      }),
    )
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the tokens of a document; white space and `#` comments may separate any two of them. */
class Reader {
  readonly #text: string
  readonly #where: string
  #at = 0

  constructor(text: string, where: string) {
    this.#text = text
    this.#where = where
  }

  atEnd(): boolean {
    return this.offset() === this.#text.length
  }

  /** The offset of the next token. */
  offset(): number {
    for (;;) {
      const skipped = this.#match(/\s*(?:#[^\n]*)?/y).length
      if (skipped === 0) return this.#at
      this.#at += skipped
    }
  }

  word(what: string): string {
    const at = this.offset()
    const word = this.#match(/[\p{L}\p{N}_/-]+/uy)
    if (word === '') this.fail(at, `expected ${what}, got ${this.#next()}`)
    this.#at += word.length
    return word
  }

  takes(token: string): boolean {
    const found = this.#text.startsWith(token, this.offset())
    if (found) this.#at += token.length
    return found
  }

  token(token: string): void {
    const at = this.offset()
    if (!this.takes(token)) this.fail(at, `expected '${token}', got ${this.#next()}`)
  }

  /** `:: "…";` without the quotes: everything up to the next quote, line breaks included. */
  string(): string {
    return this.#quoted('"')
  }

  /** `:: """…""";` without the quotes. */
  block(): string {
    return this.#quoted('"""')
  }

  fail(at: number, message: string, cause?: unknown): never {
    const line = this.#text.slice(0, at).split('\n').length
    const sentence = `${this.#where}, line ${line}: ${message}. Use the grammar that came with the game.`
    throw new ShaketableError('bad-input', sentence, { cause })
  }

  #quoted(quote: string): string {
    this.token('::')
    const at = this.offset()
    this.token(quote)
    const end = this.#text.indexOf(quote, this.#at)
    if (end === -1) this.fail(at, `expected a closing ${quote}, got the end of the text`)
    const content = this.#text.slice(this.#at, end)
    this.#at = end + quote.length
    this.token(';')
    return content
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0] ?? ''
  }

  #next(): string {
    return this.#at >= this.#text.length ? 'the end of the text' : quote(this.#text.slice(this.#at, this.#at + 21), 20)
  }
}

const announcement = 'Your task is to: '
/** The generation whose wording a grammar has. */
export function generationOf(document: GrammarDocument): Generation | 'other' {
  const template = document.actions.get('putobject')?.template
  if (template === 'put {o} in/on {r}') return 'old'
  return template === 'move {o} to {r}' ? 'new' : 'other'
}

/** The task sentence of an opening; empty if it has none. */
export function goalSentenceOf(opening: string): string {
  const at = opening.lastIndexOf(announcement)
  return at === -1 ? '' : opening.slice(at + announcement.length).split('\n')[0]!
}

/**
 * The same game in another wording: with this domain, and with this grammar, in which the file's goal replaces the
 * placeholder.
 * @throws ShaketableError `bad-input` if the file's grammar has no goal.
 */
export function swapGeneration(file: GameFile, pddlDomain: string, grammar: string): GameFile {
  const task = readGrammarDocument(file.grammar, 'The grammar of the game').rules.get('task')?.[0]?.text ?? ''
  const sentence = goalSentenceOf(task)
  if (sentence === '') {
    throw new ShaketableError(
      'bad-input',
      `Expected a rule "task" with '${announcement}…', got none. Use a game as published.`,
    )
  }
  const inJson = JSON.stringify(sentence).slice(1, -1)
  return { ...file, pddlDomain, grammar: grammar.replaceAll(`${goalPlaceholder}.`, () => inJson) }
}
