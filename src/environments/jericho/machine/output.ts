import type { Memory, Meter } from './memory.js'
import type { Text } from './text.js'

const newline = 13
const unknown = 63
const maxTables = 16
/** The largest text between two inputs; that of real stories has some thousand characters. */
const maxText = 1_000_000

/** What the output of a machine remembers between two inputs. */
export interface OutputState {
  readonly screen: boolean
  readonly upper: boolean
  readonly row: number
  readonly column: number
  /** Tables that receive the text (stream 3), the innermost last: address and characters written. */
  readonly tables: readonly { readonly address: number; readonly length: number }[]
}

/** Where printed text goes: the lower window, the upper window, or a table (sections 7 and 8 of the standard). */
export function createOutput(memory: Memory, text: Text, meter: Meter) {
  /** The text printed in the lower window since the last input. */
  let shown = ''
  let isOnScreen = true
  let isUpper = false
  /** The cursor of the upper window; both count from 1. */
  let [row, column] = [1, 1]
  let tables: { address: number; length: number }[] = []

  /** Returns and forgets the text of the lower window. */
  function take(): string {
    const taken = shown
    shown = ''
    return taken
  }

  function print(prose: string): void {
    meter.spend(prose.length)
    const table = tables.at(-1)
    if (table !== undefined) {
      for (const character of prose) {
        write(table, character === '\n' ? newline : (text.zscii(character) ?? unknown))
      }
    } else if (isOnScreen) show(prose)
  }

  /** Prints one character by its ZSCII code. */
  function printCode(code: number): void {
    meter.spend(1)
    const table = tables.at(-1)
    if (table !== undefined) {
      if (code !== 0) write(table, code)
    } else if (isOnScreen) show(text.character(code))
  }

  /** Opens (positive) or closes (negative) a stream; `table` belongs to stream 3. Streams 2 and 4 lead nowhere. */
  function select(stream: number, into: number): void {
    if (stream === 1 || stream === -1) isOnScreen = stream === 1
    else if (stream === 2 || stream === -2) transcript(stream === 2)
    else if (stream === 3) {
      if (tables.length === maxTables) meter.fault(`it opens more than ${maxTables} tables for its text`)
      tables.push({ address: into, length: 0 })
    } else if (stream === -3) {
      const closed = tables.pop()
      if (closed !== undefined) memory.setWord(closed.address, closed.length)
    }
  }

  function selectWindow(window: number): void {
    isUpper = window === 1
    if (isUpper) setCursor(1, 1)
  }

  function cursor(): { readonly row: number; readonly column: number } {
    return { row, column }
  }

  /** The cursor of the lower window cannot be moved. */
  function setCursor(toRow: number, toColumn: number): void {
    if (!isUpper) return
    row = toRow
    column = toColumn
  }

  /** Clears windows: 0 the lower, 1 the upper, -1 and -2 all. What was printed and cleared in one turn is not seen. */
  function erase(window: number): void {
    if (window !== 1) shown = ''
    if (window === -1) isUpper = false
  }

  function save(): OutputState {
    return {
      screen: isOnScreen,
      upper: isUpper,
      row,
      column,
      tables: tables.map((table) => ({ ...table })),
    }
  }

  function load(state: OutputState): void {
    shown = ''
    isOnScreen = state.screen
    isUpper = state.upper
    row = state.row
    column = state.column
    tables = state.tables.map((table) => ({ ...table }))
  }

  function show(text: string): void {
    if (isUpper) {
      const last = text.lastIndexOf('\n')
      if (last >= 0) row++
      column = last >= 0 ? text.length - last : column + text.length
      return
    }
    shown += text
    if (shown.length > maxText) {
      meter.fault(`it printed more than ${maxText.toLocaleString('en')} characters without asking for input`)
    }
  }

  function write(table: { readonly address: number; length: number }, code: number): void {
    memory.setByte(table.address + 2 + table.length, code)
    table.length++
  }

  /** Section 7.4: whether a transcript is kept stands in a flag of the header. */
  function transcript(on: boolean): void {
    const flags = memory.byte(0x11)
    memory.setByte(0x11, on ? flags | 1 : flags & ~1)
  }

  return { take, print, printCode, select, selectWindow, cursor, setCursor, erase, save, load }
}

/** See {@link createOutput}. */
export type Output = ReturnType<typeof createOutput>
