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
export class Output {
  /** The text printed in the lower window since the last input. */
  #shown = ''
  #screen = true
  #upper = false
  /** The cursor of the upper window; both count from 1. */
  #row = 1
  #column = 1
  #tables: { address: number; length: number }[] = []
  readonly #memory: Memory
  readonly #text: Text
  readonly #meter: Meter

  constructor(memory: Memory, text: Text, meter: Meter) {
    this.#memory = memory
    this.#text = text
    this.#meter = meter
  }

  /** Returns and forgets the text of the lower window. */
  take(): string {
    const shown = this.#shown
    this.#shown = ''
    return shown
  }

  print(text: string): void {
    this.#meter.spend(text.length)
    const table = this.#tables.at(-1)
    if (table !== undefined) {
      for (const character of text) {
        this.#write(table, character === '\n' ? newline : (this.#text.zscii(character) ?? unknown))
      }
    } else if (this.#screen) this.#show(text)
  }

  /** Prints one character by its ZSCII code. */
  printCode(code: number): void {
    this.#meter.spend(1)
    const table = this.#tables.at(-1)
    if (table !== undefined) {
      if (code !== 0) this.#write(table, code)
    } else if (this.#screen) this.#show(this.#text.character(code))
  }

  /** Opens (positive) or closes (negative) a stream; `table` belongs to stream 3. Streams 2 and 4 lead nowhere. */
  select(stream: number, table: number): void {
    if (stream === 1 || stream === -1) this.#screen = stream === 1
    else if (stream === 2 || stream === -2) this.#transcript(stream === 2)
    else if (stream === 3) {
      if (this.#tables.length === maxTables) this.#meter.fault(`it opens more than ${maxTables} tables for its text`)
      this.#tables.push({ address: table, length: 0 })
    } else if (stream === -3) {
      const closed = this.#tables.pop()
      if (closed !== undefined) this.#memory.setWord(closed.address, closed.length)
    }
  }

  selectWindow(window: number): void {
    this.#upper = window === 1
    if (this.#upper) this.setCursor(1, 1)
  }

  get cursor(): { readonly row: number; readonly column: number } {
    return { row: this.#row, column: this.#column }
  }

  /** The cursor of the lower window cannot be moved. */
  setCursor(row: number, column: number): void {
    if (!this.#upper) return
    this.#row = row
    this.#column = column
  }

  /** Clears windows: 0 the lower, 1 the upper, -1 and -2 all. What was printed and cleared in one turn is not seen. */
  erase(window: number): void {
    if (window !== 1) this.#shown = ''
    if (window === -1) this.#upper = false
  }

  save(): OutputState {
    return {
      screen: this.#screen,
      upper: this.#upper,
      row: this.#row,
      column: this.#column,
      tables: this.#tables.map((table) => ({ ...table })),
    }
  }

  load(state: OutputState): void {
    this.#shown = ''
    this.#screen = state.screen
    this.#upper = state.upper
    this.#row = state.row
    this.#column = state.column
    this.#tables = state.tables.map((table) => ({ ...table }))
  }

  #show(text: string): void {
    if (this.#upper) {
      const last = text.lastIndexOf('\n')
      if (last >= 0) this.#row++
      this.#column = last >= 0 ? text.length - last : this.#column + text.length
      return
    }
    this.#shown += text
    if (this.#shown.length > maxText) {
      this.#meter.fault(`it printed more than ${maxText.toLocaleString('en')} characters without asking for input`)
    }
  }

  #write(table: { readonly address: number; length: number }, code: number): void {
    this.#memory.setByte(table.address + 2 + table.length, code)
    table.length++
  }

  /** Section 7.4: whether a transcript is kept stands in a flag of the header. */
  #transcript(on: boolean): void {
    const flags = this.#memory.byte(0x11)
    this.#memory.setByte(0x11, on ? flags | 1 : flags & ~1)
  }
}
