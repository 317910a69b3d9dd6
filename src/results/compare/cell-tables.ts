import { figure } from '../../tables/table.js'
import type { Cell, Column, Table } from '../../tables/table.js'
import type { NamePair } from './pair-cells.js'
import { nameOf } from './pair-cells.js'

/** An environment × model × agent × condition, where both sides of a comparison may have names of their own. */
interface NamedCell {
  readonly environment: string
  readonly model: string | NamePair
  readonly agent: string | NamePair
  readonly condition: string
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
  showsAgent = new Set(items.map(({ agent }) => nameText(agent))).size > 1,
): Table[] {
  return [...new Set(items.map(({ environment }) => environment))].map((environment) => {
    const own = items.filter((item) => item.environment === environment)
    return {
      environment,
      ...describe(environment, own),
      heads: ['Model', ...(showsAgent ? ['Agent'] : []), 'Condition'],
      groups: Object.entries(groups).map(([title, group]) => ({
        title,
        columns: group.map(([title, shows, metric]) => ({ title, shows, metric })),
      })),
      rows: own.map((item) => {
        const [model, agent, label] = [nameText(item.model), nameText(item.agent), item.condition]
        const shown = Object.values(groups).flatMap((group) => group.map(([, , , of]) => of(item)))
        const cells = shown.map((one) => (typeof one === 'object' ? one : figure(one)))
        return { heads: [model, ...(showsAgent ? [agent] : []), label], model, agent, label, cells }
      }),
    }
  })
}

function nameText(name: string | NamePair): string {
  return typeof name === 'string' ? name : nameOf(name)
}
