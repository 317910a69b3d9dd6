import { ShaketableError } from '../../core/errors.js'

/** The characters that a shell interprets outside of quotes. */
const operators = '|&;<>()`$\n'

/**
 * Splits a command line into its words by the quoting rules of a POSIX shell: single quotes, double quotes,
 * backslashes. No shell runs it, so nothing is expanded, and shell operators are rejected.
 * @throws ShaketableError `usage` for an open quote, a shell operator, or no words
 */
export function splitCommand(line: string): readonly [string, ...string[]] {
  const refuse = (got: string): ShaketableError =>
    new ShaketableError(
      'usage',
      `process.command: expected a program and its arguments, got ${got} in '${line.slice(0, 200)}'. No shell runs it: quote what belongs together, give a list of words in an experiment file, or write sh -c '…'.`,
    )
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (quote === "'") {
      if (character === quote) quote = undefined
      else word += character
    } else if (character === '\\' && at + 1 < line.length) {
      const next = line[++at]!
      word = (word ?? '') + (quote === undefined || '"\\$`'.includes(next) ? '' : '\\') + next
    } else if (character === quote) {
      quote = undefined
    } else if (quote !== undefined) {
      if ('`$'.includes(character)) throw refuse(`the shell operator '${character}'`)
      word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (operators.includes(character)) {
      throw refuse(character === '\n' ? 'a line break' : `the shell operator '${character}'`)
    } else {
      word = (word ?? '') + character
    }
  }
  if (quote !== undefined) throw refuse(`an open ${quote}`)
  if (word !== undefined) words.push(word)
  const [program, ...rest] = words
  if (program === undefined || program === '') throw refuse('no program')
  return [program, ...rest]
}
