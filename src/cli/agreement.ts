import { Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import { readText } from '../files/read-text.js'
import type { CohenKappa } from '../statistics/agreement.js'
import { cohenKappa } from '../statistics/agreement.js'
import type { Interval } from '../statistics/intervals.js'
import { wilsonInterval } from '../statistics/intervals.js'
import { ratioOfMeans } from '../statistics/ratio-of-means.js'
import { escapeControls, escapeLine, number, print, printJson, say } from './_lines.js'
import type { Judgements } from './_judgements.js'
import { readJudgements } from './_judgements.js'

const maxBytes = 50 << 20

/** `shaketable data agreement FILE`: agreement of two judges of the same items. */
export function agreementCommand(): Command {
  return new Command('agreement')
    .description("Measures how far two judges of the same items agree: confusion matrix, agreement, and Cohen's kappa.")
    .argument('<file>', 'CSV or JSON lines with a column for each judge, or a table of counts as CSV')
    .option('--judges <first,second>', 'the two columns of the judges, if there are more')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', '\nExit codes: 0, or 2 for a file that cannot be used.')
    .action(measureAgreement)
}

async function measureAgreement(
  path: string,
  flags: { readonly judges?: string; readonly json?: true },
): Promise<void> {
  const judgements = readJudgements(
    readText('The file of judgements', path, 'Check the path.', maxBytes),
    path,
    flags.judges === undefined ? undefined : readPair(flags.judges),
  )
  for (const problem of judgements.problems) say(escapeLine(problem))
  const { trajectories, ...counted } = judgements
  const kappa = cohenKappa(counted.counts, trajectories)
  if (kappa === undefined) {
    throw new ShaketableError(
      'bad-input',
      `Expected judgements in ${path}, but all counts are 0. Give a file with items.`,
    )
  }
  const interval = agreementInterval(kappa, trajectories)
  await (flags.json ? printJson : print)(
    flags.json
      ? JSON.stringify(
          {
            schema: 1,
            file: path,
            ...counted,
            ...(trajectories && { trajectories: trajectories.length }),
            ...kappa,
            ...(interval && { agreementInterval: interval }),
          },
          null,
          1,
        )
      : escapeControls(textOf(judgements, kappa, interval)),
  )
}

/** Of the share of items on which both agree; absent for trajectories that are too few. */
function agreementInterval({ agreement, items }: CohenKappa, trajectories: Judgements['trajectories']) {
  if (trajectories === undefined) return wilsonInterval(Math.round(agreement * items), items)
  const sizes = trajectories.map((table) => table.flat().reduce((sum, count) => sum + count, 0))
  const agreed = trajectories.map((table) => table.reduce((sum, row, label) => sum + row[label]!, 0))
  const { interval } = ratioOfMeans(
    sizes,
    agreed,
    sizes.reduce((one, other) => Math.max(one, other)),
  )!
  return interval && { low: interval.low, high: Math.min(1, interval.high) }
}

function readPair(text: string): readonly [string, string] {
  const [first, second, ...others] = text.split(',').map((name) => name.trim())
  if (!first || !second || others.length > 0 || first === second) {
    throw new ShaketableError(
      'usage',
      `--judges: expected two columns, as in --judges judge,person, got '${text.slice(0, 100)}'.`,
    )
  }
  return [first, second]
}

function textOf(
  { judges, labels, counts, trajectories }: Judgements,
  kappa: CohenKappa,
  interval: Interval | undefined,
): string {
  const [down, across] = judges.map(short)
  const rows = [['', ...labels.map(short)], ...labels.map((label, row) => [short(label), ...counts[row]!.map(number)])]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const table = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
  )
  return [
    `${number(kappa.items)} items: ${down!} (down) and ${across!} (across)`,
    '',
    ...table.map((line) => line.trimEnd()),
    '',
    `Agreement  ${percent(kappa.agreement)} % (${interval ? `95 % interval ${percent(interval.low)} to ${percent(interval.high)}` : 'no interval: too few trajectories'})`,
    `By chance  ${percent(kappa.byChance)} %`,
    `Kappa      ${kappaText(kappa)}`,
    trajectories
      ? `Intervals are over trajectories (${number(trajectories.length)}): items of one may be alike.`
      : "Intervals take the items as independent: name their trajectories in a column 'trajectory' if several are of one.",
  ].join('\n')
}

function kappaText({ kappa, standardError, interval }: CohenKappa): string {
  if (kappa === undefined) return 'not defined: both judges use one label for all items'
  if (interval === undefined) return `${kappa.toFixed(2)} (no interval: the items do not differ in what they say of it)`
  const { low, high } = interval
  return `${kappa.toFixed(2)} (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)}; standard error ${standardError!.toFixed(3)})`
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function short(text: string): string {
  const line = escapeLine(text)
  return line.length > 30 ? `${line.slice(0, 29)}…` : line
}
