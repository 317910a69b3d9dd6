import { terminalOf } from '../tables/terminal.js'
import { shortList } from '../compare/align-panels.js'
import { nameCell, verdictWords } from '../gate/words.js'
import type { Check, CheckedCell, CheckedTask, TaskState } from '../gate/check.js'
import { checkTables } from '../gate/check-table.js'
import { harmlessLine } from './_harmless.js'

const maxTasks = 10

/** A check as a person reads it: the tables, what needs a word, and the verdict last. */
export function checkText(check: Check, width: number): string {
  const { cells, notes, verdict, code, reasons } = check
  const told = tellCells(cells.filter((cell) => cell.verdict !== 'pass' || cell.moved !== undefined))
  return [
    terminalOf(checkTables(check), width),
    ...(told.length === 0 ? [] : [`${told.join('\n')}\n`]),
    ...(notes.length === 0 ? [] : [`${notes.map((note) => harmlessLine(`note: ${note}`)).join('\n')}\n`]),
    `${harmlessLine(`${verdictWords[verdict]} (exit code ${String(code)}): ${reasons.join(' ')}`)}\n`,
  ].join('\n')
}

/** Cells of which the same is to be said are told together. */
function tellCells(cells: readonly CheckedCell[]): string[] {
  const groups = new Map<string, CheckedCell[]>()
  for (const cell of cells) {
    const words = `${cell.verdict}. ${cell.reason}`
    groups.set(words, [...(groups.get(words) ?? []), cell])
  }
  return [...groups].flatMap(([words, alike]) => [
    harmlessLine(`${shortList(alike.map(nameCell), 4)}: ${words}`),
    ...alike.flatMap(({ verdict, tasks }) =>
      (verdict === 'fail' ? (['lost', 'broken'] as const) : (['broken'] as const)).flatMap((state) =>
        listTasks(tasks, state),
      ),
    ),
  ])
}

function listTasks(tasks: readonly CheckedTask[], wanted: TaskState): string[] {
  const found = tasks.filter(({ state }) => state === wanted)
  const shown = found.slice(0, maxTasks).map(({ id, baseline, run }) => {
    const [before, after] = [baseline, run].map(({ successes, measured }) => `${String(successes)}/${String(measured)}`)
    return harmlessLine(`  ${wanted} ${id}: ${before!} → ${after!}`)
  })
  const left = found.length - shown.length
  return left === 0 ? shown : [...shown, `  … and ${String(left)} more ${wanted}`]
}
