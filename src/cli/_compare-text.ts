import { csvOf } from '../tables/csv.js'
import { markdownOf, markdownText } from '../tables/markdown.js'
import { terminalOf } from '../tables/terminal.js'
import { compareTables } from '../compare/compare-table.js'
import type { Comparison } from '../compare/compare.js'
import { headline, nameCell, describeCells, describeFlips } from '../compare/verdict.js'
import { canonicalJson } from '../core/episode.js'
import { harmlessLine } from './_harmless.js'
import { wrap } from './_lines.js'

/** The ways in which a comparison can be printed. */
export const compareFormats = ['terminal', 'markdown', 'csv', 'json'] as const
/** One of {@link compareFormats}. */
export type CompareFormat = (typeof compareFormats)[number]

/** A comparison in one text; `flips` is how many flipped tasks of a cell are named, `width` that of the terminal. */
export function printComparison(comparison: Comparison, format: CompareFormat, flips: number, width: number): string {
  switch (format) {
    case 'terminal':
      return compareText(comparison, flips, width)
    case 'markdown':
      return compareMarkdown(comparison, flips)
    case 'csv':
      return csvOf(compareTables(comparison))
    case 'json':
      return `${JSON.stringify(JSON.parse(canonicalJson({ ...comparison, verdict: headline(comparison) })), null, 1)}\n`
  }
}

function compareText(comparison: Comparison, most: number, width: number): string {
  const flips = flippedCells(comparison, most).flatMap(({ name, tasks, more }) => [
    `${name}:`,
    ...tasks.map((task) => `  ${task}`),
    ...(more === 0 ? [] : [`  … and ${String(more)} more`]),
  ])
  const paragraph = (lines: readonly string[]): string =>
    lines
      .flatMap((line) => wrap(harmlessLine(line), Math.max(width, 60), '  '))
      .join('\n')
      .concat('\n')
  return [
    terminalOf(compareTables(comparison), width),
    ...(flips.length === 0 ? [] : [paragraph(['Tasks that flipped most', ...flips])]),
    ...(comparison.notes.length === 0 ? [] : [paragraph(comparison.notes.map((note) => `note: ${note}`))]),
    paragraph([headline(comparison), ...describeCells(comparison)]),
  ].join('\n')
}

function compareMarkdown(comparison: Comparison, most: number): string {
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${markdownText(line)}\n`).join('')
  const flips = flippedCells(comparison, most).map(
    ({ name, tasks, more }) => `${name}: ${tasks.join('; ')}${more === 0 ? '' : `; and ${String(more)} more`}`,
  )
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}\n\n${list(lines)}`]
  return [
    `**${markdownText(headline(comparison))}**\n\n${list(describeCells(comparison))}`,
    markdownOf(compareTables(comparison)),
    ...section('Tasks that flipped most', flips),
    ...section('Notes', comparison.notes),
  ].join('\n')
}

function flippedCells({ cells }: Comparison, most: number) {
  return cells
    .filter(({ flipped }) => most > 0 && flipped.length > 0)
    .map((cell) => ({ name: nameCell(cell), ...describeFlips(cell, most) }))
}
