import { type Cell, type Column, type Table, figure } from '../../tables/table.js'
import { count } from '../../tables/words.js'
import type { NamePair } from './outcomes.js'

/** An environment × model × agent × condition, where both sides of a comparison may have names of their own. */
interface NamedCell {
  readonly environment: string
  readonly model: string | NamePair
  readonly agent: string | NamePair
  readonly condition: string
}

/** `a`, or `a → b` where the two sides call it differently. */
function nameOf(name: string | NamePair): string {
  if (typeof name === 'string') return name
  return name.first === name.second ? name.first : `${name.first} → ${name.second}`
}

/** `household · reader · act · none`. */
export function nameCell({ environment, model, agent, condition }: NamedCell): string {
  return [environment, nameOf(model), nameOf(agent), condition].join(' · ')
}

/** `the only cell`, `all 4 cells`, `2 of 4 cells`. */
export function shareOfCells(some: number, all: number): string {
  if (all === 1) return 'the only cell'
  return some === all ? `all ${count(all, 'cell')}` : `${String(some)} of ${count(all, 'cell')}`
}

/** Columns by the title of their group: title, what is shown, the figure's name, and its value in a cell or a dash. */
export type CellColumns<Item> = Readonly<
  Record<
    string,
    readonly (readonly [
      title: string,
      shows: Column['shows'],
      metric: string,
      of: (item: Item) => Cell | number | undefined,
    ])[]
  >
>

/**
 * Tables with a row for each cell, one table for each environment. Agents are named where there are several of them, or
 * where `showsAgent` asks for it.
 */
export function cellTables<Item extends NamedCell>(
  items: readonly Item[],
  groups: CellColumns<Item>,
  describe: (environment: string, items: readonly Item[]) => Pick<Table, 'name' | 'title' | 'notes' | 'origin'>,
  showsAgent = new Set(items.map(({ agent }) => nameOf(agent))).size > 1,
): Table[] {
  return [...new Set(items.map(({ environment }) => environment))].map((environment) => {
    const rows = items.filter((item) => item.environment === environment)
    return {
      environment,
      ...describe(environment, rows),
      heads: ['Model', ...(showsAgent ? ['Agent'] : []), 'Condition'],
      groups: Object.entries(groups).map(([title, group]) => ({
        title,
        columns: group.map(([title, shows, metric]) => ({ title, shows, metric })),
      })),
      rows: rows.map((item) => {
        const [model, agent, label] = [nameOf(item.model), nameOf(item.agent), item.condition]
        const shown = Object.values(groups).flatMap((group) => group.map(([, , , of]) => of(item)))
        const cells = shown.map((cell) => (typeof cell === 'object' ? cell : figure(cell)))
        return { heads: [model, ...(showsAgent ? [agent] : []), label], model, agent, label, cells }
      }),
    }
  })
}
