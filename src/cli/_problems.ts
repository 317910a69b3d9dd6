import type { RowProblem } from '../training/records.js'
import { escapeLine, number, say } from './_lines.js'

const shown = 10

/** Names the first records of training data that cannot be read, and at the end how many more there are. */
export function problemPrinter() {
  let count = 0
  return {
    print({ file, record, message }: RowProblem): void {
      if (++count <= shown) say(escapeLine(`${file}:${String(record)}: ${message}.`))
    },
    end(): void {
      if (count > shown) say(`… and ${number(count - shown)} more records that are left out`)
    },
  }
}
