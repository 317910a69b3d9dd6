import { ShaketableError } from '../core/errors.js'
import { readText } from '../files/read-text.js'
import { readCsv } from '../results/published/read-csv.js'
import { cohenKappa } from '../statistics/agreement.js'
import { wilsonInterval } from '../statistics/intervals.js'
import { makeCommand } from './_flags.js'
import { layOut, number, percent, printLines } from './_lines.js'

const maxLabels = 50

/** `shaketable data agreement FILE`: agreement of two judges of the same items. */
export const agreementCommand = () =>
  makeCommand({
    places: [['<file>', 'CSV with a column for each judge, or with their table of counts']],
    flags: [],
    run: measureAgreement,
  })

async function measureAgreement(path: string): Promise<void> {
  const { judges, labels, counts } = readJudgements(path)
  const measured = cohenKappa(counts)
  if (measured === undefined) throw wrong(path, 'all counts are 0')
  const { items, agreement, byChance, kappa, interval } = measured
  const spread = wilsonInterval(Math.round(agreement * items), items)!
  const points = (share: number): string => (100 * share).toFixed(1)
  const brief = (text: string): string => text.slice(0, 30)
  const table = [['', ...labels], ...labels.map((label, row) => [label, ...counts[row]!.map(number)])]
  const around = interval && ` (95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`
  await printLines([
    `${number(items)} items: ${judges.map(brief).join(' (down) and ')} (across)`,
    '',
    ...layOut(table.map((row) => row.map(brief))).split('\n'),
    '',
    `Agreement  ${percent(agreement)} (95 % interval ${points(spread.low)} to ${points(spread.high)})`,
    `By chance  ${percent(byChance)}`,
    `Kappa      ${kappa === undefined ? 'not defined: both judges use one label for all items' : `${kappa.toFixed(2)}${around ?? ''}`}`,
    'Intervals take the items as independent.',
  ])
}

/**
 * Counts the judgements of two judges in CSV: a column for each judge and optionally `item` or `id`; or their table of
 * counts, with the first judge's labels as rows and the second's as columns in the same order.
 * @returns `counts[first judge][second judge]`, in the order of the labels
 * @throws ShaketableError `bad-input` for anything else
 */
function readJudgements(path: string) {
  const records = readCsv(readText('The file of judgements', path, 'Check the path.'), path)
  const [head = [], ...rows] = records.map(({ fields }) => fields.map((field) => field.trim()))
  const odd = rows.findIndex((row) => row.length !== head.length || row.includes(''))
  if (odd >= 0) throw wrong(path, `line ${String(records[odd + 1]!.line)} has not a field for each of its columns`)
  const [corner = '', ...across] = head
  const isTable = rows.length === across.length && rows.every(([label], index) => label === across[index])
  if (isTable && rows.length > 0 && rows.every(([, ...counts]) => counts.every((count) => /^\d{1,15}$/.test(count)))) {
    const [first = '', second = ''] = corner.split(/[\\/|]/).map((name) => name.trim())
    const counts = rows.map(([, ...texts]) => texts.map(Number))
    return { judges: [first || 'first', second || 'second'], labels: across, counts }
  }
  const judges = head.filter((name) => !['item', 'id'].includes(name))
  if (judges.length !== 2) throw wrong(path, `its columns are ${head.join(', ') || 'none'}; leave those of two judges`)
  if (rows.length === 0) throw wrong(path, 'it has no items')
  const pairs = rows.map((row) => judges.map((judge) => row[head.indexOf(judge)]!) as [string, string])
  const labels = [...new Set(pairs.flat())].sort()
  if (labels.length > maxLabels)
    throw wrong(path, `its judges use ${String(labels.length)} labels, more than ${String(maxLabels)}`)
  const counts = labels.map(() => labels.map(() => 0))
  for (const [down, across] of pairs) counts[labels.indexOf(down)]![labels.indexOf(across)]!++
  return { judges, labels, counts }
}

function wrong(path: string, got: string): ShaketableError {
  return new ShaketableError(
    'bad-input',
    `Expected two judgements of each item, or their table of counts, in ${path}, but ${got.slice(0, 300)}. docs/training-data.md shows such files.`,
  )
}
