import { asWriteError } from '../files/write-error.js'
import { writeWhole } from '../files/write-whole.js'
import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import type { Baseline } from './baseline.js'
import type { BaselineFile } from './baseline-schema.js'
import { baselineFormat } from './baseline-schema.js'
import { summariseCell } from './summarise-cell.js'
import { spellVector, vectorAt } from './vectors.js'

/**
 * Writes a baseline in one move.
 * @throws ShaketableError `store` where it cannot be written.
 */
export function writeBaseline(path: string, baseline: Baseline): void {
  try {
    writeWhole(path, baselineText(baseline))
  } catch (thrown) {
    throw asWriteError(thrown, path, 'Give --baseline another path')
  }
}

/** A baseline as it stands in its file: equal baselines give equal bytes, and what changes of one task changes one line. */
export function baselineText({ outcomes, conditions, history }: Baseline): string {
  const { temperatures, seeds, stepLimit, maxTokens, models, agents, columns } = conditions
  const file: BaselineFile = {
    schema: baselineFormat,
    history: history.map(({ version, plan, why }) => ({ version, plan, why })),
    sampling: { temperatures: [...temperatures], seeds: [...seeds], stepLimit, maxTokens },
    models: [...models],
    agents: [...agents],
    columns: [...columns],
    panels: outcomes.panels.map(({ environment, version, hash, tasks }) => ({
      environment,
      version,
      hash,
      tasks: tasks.map(({ id, kind }) => (kind === undefined ? [id] : [id, kind])),
    })),
    cells: groupCells(outcomes).map((cells) => describeGroup(cells, outcomes)),
  }
  return `${layOut(file)}\n`
}

/** The cells of one environment × model × agent × column together, one for each temperature. */
function groupCells({ cells }: Outcomes): OutcomeCell[][] {
  const groups = new Map<string, OutcomeCell[]>()
  for (const cell of cells) {
    const key = JSON.stringify([cell.environment, cell.model, cell.agent, cell.column])
    groups.set(key, [...(groups.get(key) ?? []), cell])
  }
  return [...groups.values()]
}

function describeGroup(cells: readonly OutcomeCell[], { panels }: Outcomes): BaselineFile['cells'][number] {
  const { environment, model, agent, column, unchanged } = cells[0]!
  const { tasks } = panels.find((panel) => panel.environment === environment)!
  return {
    environment,
    model,
    agent,
    column,
    success: summariseCell(cells, 'success'),
    progress: summariseCell(cells, 'progress'),
    tasks: tasks.map(({ id }, task) => {
      const vector = spellVector(cells.map((cell) => vectorAt(cell, task)))
      return unchanged[task]! ? [id, vector, 'unchanged'] : [id, vector]
    }),
  }
}

/** JSON in which a list or map stands on one line unless there are lists or maps in it. */
function layOut(value: unknown, indent = ''): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  const isFlat = Object.values(value).every((part) => part === null || typeof part !== 'object')
  const write = (part: unknown): string => (isFlat ? JSON.stringify(part) : layOut(part, inner))
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map(write)
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${write(part)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  if (!isFlat) return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
  return isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
}
