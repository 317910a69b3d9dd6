import type { VNode } from 'preact'
import { figuresOf } from '../../src/tables/figures.js'
import type { Cell, Column, Figure, Table } from '../../src/tables/table.js'
import { describeMarks } from '../../src/tables/table.js'
import { untrusted } from './visible.js'

/** A report's table with every name in every row, so that it can be sorted; cells have their unrounded value. */
export function htmlTable(table: Table): VNode {
  const { heads, groups, rows, title } = table
  const columns = groups.flatMap((group) => group.columns)
  const figures = figuresOf(table)
  return (
    <figure class="table">
      <h3>{title}</h3>
      <ScrollFrame name={title}>
        <table class="grid" data-sortable>
          <thead>
            {groups.some((group) => group.title !== '') && (
              <tr class="groups">
                <td colSpan={heads.length} />
                {groups.map((group) => (
                  <th scope="colgroup" colSpan={group.columns.length}>
                    {untrusted(group.title)}
                  </th>
                ))}
              </tr>
            )}
            <tr>
              {heads.map((head) => (
                <th scope="col">{head}</th>
              ))}
              {columns.map((column) => (
                <th scope="col" class={classOf(column)}>
                  {untrusted(column.title)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr class={row.published === undefined ? undefined : 'published'}>
                {row.heads.map((head) => (
                  <th scope="row">{untrusted(head)}</th>
                ))}
                {row.cells.map((cell, place) => figureCell(cell, columns[place]!, figures[at]![place]!))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      <figcaption>
        <details>
          <summary>What is shown</summary>
          {[...table.notes, ...describeMarks(table, { best: 'Bold', heldIn: 'Underlined' })].map((note) => (
            <p>{note}</p>
          ))}
        </details>
      </figcaption>
    </figure>
  )
}

/** A table or a chart in a box that scrolls where it is wider or higher than the window. */
export function ScrollFrame({ name, children }: { readonly name: string; readonly children: VNode }): VNode {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={name}>
      {children}
    </div>
  )
}

function figureCell(cell: Cell, column: Column, { main, spread, short }: Figure): VNode {
  if (column.shows === 'text') {
    return <td>{untrusted(main)}</td>
  }
  const text = withMinus(main)
  const bold = cell.best ? <strong>{text}</strong> : text
  return (
    <td class="number" data-value={valueOf(cell, column)}>
      {cell.heldIn ? <u>{bold}</u> : bold}
      {spread !== '' && <span class="muted"> {withMinus(spread)}</span>}
      {short && '†'}
    </td>
  )
}

/** The value by which the cell is sorted; undefined without a figure. */
function valueOf({ value, valid = 0, planned = 0 }: Cell, { shows }: Column): number | undefined {
  if (shows !== 'coverage') return value
  return planned === 0 ? undefined : valid / planned
}

function classOf({ shows }: Column): string | undefined {
  return shows === 'text' ? undefined : 'number'
}

function withMinus(text: string): string {
  return text.replaceAll('-', '−')
}
