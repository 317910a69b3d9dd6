import type { Aggregate } from '../aggregate/aggregate.js'
import { describeCondition, describeData, describePrompt, listSettings, listSeeds } from '../tables/captions.js'
import type { Row, Table } from '../tables/table.js'
import { columnsOf } from '../tables/table.js'

const fields = [
  'table',
  'environment',
  'model',
  'agent',
  'temperature',
  'column',
  'metric',
  'value',
  'deviation',
  'low',
  'high',
  'runs',
  'valid',
  'planned',
  'best',
  'held_in',
  'published',
  'note',
  'kind',
]
/** Which experiment a line is from. */
const experimentFields = [
  'plan',
  'condition',
  'agent_settings',
  'data',
  'panel',
  'prompt',
  'server',
  'model_settings',
  'seeds',
  'max_steps',
  'max_reply_tokens',
  'first_date',
  'last_date',
]

/**
 * Tables as comma-separated values (RFC 4180), one line for each cell with all that is known of it, unrounded; `all`
 * stands for all temperatures together, an empty field for what does not apply. The last columns say of each line which
 * experiment it is from. Notices come first, as lines of a table of that name. Text that a spreadsheet would take for a
 * formula has a `'` before it; numbers are left alone.
 */
export function csvOf(tables: readonly Table[], told?: Pick<Aggregate, 'plan' | 'experiment' | 'notices'>): string {
  const notices = (told?.notices ?? []).map(({ kind, environment = '', text }) => [
    ...fields.map((field) => ({ table: 'notices', environment, metric: kind, note: text })[field] ?? ''),
    told!.plan,
    ...experimentFields.slice(1).map(() => ''),
  ])
  const lines = tables.flatMap((table) => {
    const columns = columnsOf(table)
    return table.rows.flatMap((row) =>
      row.cells.map((cell, index) => {
        const column = columns[index]!
        const environment = column.environment ?? table.environment ?? ''
        const label = column.label ?? row.label ?? ''
        return [
          table.name,
          environment,
          row.model,
          row.agent,
          row.temperature ?? (row.published === undefined ? 'all' : ''),
          label,
          column.metric,
          cell.value,
          cell.deviation,
          cell.low,
          cell.high,
          cell.runs,
          cell.valid,
          cell.planned,
          cell.best && 'true',
          cell.heldIn && 'true',
          row.published,
          cell.text,
          row.kind,
          ...(told ? originOf(told, row, environment, label) : []),
        ]
      }),
    )
  })
  return csvLines([[...fields, ...(told ? experimentFields : [])], ...notices, ...lines])
}

/** Lines of comma-separated values. Text never reads as a formula, and numbers are left alone. */
export function csvLines(lines: readonly (readonly (string | number | undefined)[])[]): string {
  return lines
    .map(
      (line) =>
        `${line.map((field) => csvField(typeof field === 'number' ? String(field) : inert(field))).join(',')}\r\n`,
    )
    .join('')
}

/** Which experiment a line is from; nothing for what others published. */
function originOf(
  { plan, experiment }: Pick<Aggregate, 'plan' | 'experiment'>,
  row: Row,
  name: string,
  label: string,
): (string | number)[] {
  if (row.published !== undefined) return experimentFields.map(() => '')
  const environment = experiment.environments.find((one) => one.name === name)
  const model = experiment.models.find((one) => one.name === row.model)
  const condition = experiment.conditions.find((one) => one.label === label)
  const agent = experiment.agents.find((one) => one.name === row.agent)
  const { seeds, maxSteps, maxReplyTokens, dates } = experiment
  return [
    plan,
    condition === undefined ? '' : describeCondition(condition, name || undefined, true),
    listSettings(agent?.settings ?? {}).join(', '),
    environment === undefined ? '' : describeData(environment),
    environment?.panel ?? '',
    environment === undefined ? '' : describePrompt(environment),
    model?.server ?? '',
    listSettings(model?.settings ?? {}).join(', '),
    listSeeds(seeds),
    maxSteps,
    maxReplyTokens,
    dates?.first ?? '',
    dates?.last ?? '',
  ]
}

/** One field, quoted where it has to be. */
export function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Text that no spreadsheet takes for a formula, whatever it begins with (OWASP, CSV injection). */
export function inert(text = ''): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}
