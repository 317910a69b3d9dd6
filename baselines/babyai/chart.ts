import type { Pose } from './place.js'
import { bearing, cellFrom, cellOf, columnOf, isOnMap, mapSize, rowOf, start, strides } from './place.js'
import type { Sight } from './sight.js'
import type { Kind } from './thing.js'

/** A thing on the map. */
export interface Mapped {
  readonly cell: number
  readonly kind: Kind
}

/** What was seen from one place. */
interface View {
  readonly pose: Pose
  /** Cells of doors that stood open, and cells that were looked along. */
  readonly open: ReadonlySet<number>
}

/**
 * A map in the making. Rooms lie in rows and columns and their walls meet, so a wall that one faces is taken for a line across the whole map, and
 * lines for one another's neighbours at equal distances, except where something else was seen.
 */
export interface Chart {
  readonly pose: Pose
  readonly things: ReadonlyMap<number, Mapped>
  /** Columns and rows that are walls. */
  readonly columns: readonly number[]
  readonly rows: readonly number[]
  /** Cells that are known to be no wall. */
  readonly free: ReadonlySet<number>
  readonly views: readonly View[]
}

const mostViews = 60

/** An empty map; whoever draws it stands at its beginning. */
export const emptyChart: Chart = { pose: start, things: new Map(), columns: [], rows: [], free: new Set(), views: [] }

/** The map after a look from a pose: what is in sight is drawn, and what was there and is not in sight any more is struck out. */
export function draw(before: Chart, pose: Pose, sight: Sight): Chart {
  if (!isOnMap(pose)) return draw(emptyChart, start, sight)
  const things = new Map(before.things)
  const free = new Set(before.free)
  const open = new Set<number>()
  let { columns, rows } = before
  free.add(cellOf(pose.x, pose.y))
  const straight = sight.things.filter(({ aside }) => aside === 0).map(({ ahead }) => ahead)
  const clear = sight.wall ?? Math.max(0, ...straight)
  for (let ahead = 1; ahead < Math.min(clear, reach + 1); ahead++) free.add(cellFrom(pose, ahead, 0))
  const lines = linesIn(before, pose, sight)
  for (const cell of lines.across) {
    if (pose.heading % 2 === 0) rows = including(rows, rowOf(cell))
    else columns = including(columns, columnOf(cell))
  }
  for (const cell of lines.along) {
    if (pose.heading % 2 === 0) columns = including(columns, columnOf(cell))
    else rows = including(rows, rowOf(cell))
  }
  const seen = new Set<number>()
  for (const { kind, ahead, aside } of sight.things) {
    if (ahead > reach || Math.abs(aside) > breadth) continue
    const cell = cellFrom(pose, ahead, aside)
    seen.add(cell)
    things.set(cell, { cell, kind })
    if (kind.state === 'open') open.add(cell)
    if (kind.type !== 'door') free.add(cell)
  }
  const drawn: Chart = { pose, things, columns, rows, free, views: before.views }
  for (const cell of lookAround(pose, opacity(drawn, walls(drawn), open))) {
    if (!seen.has(cell) && things.get(cell)?.kind.type !== 'door') things.delete(cell)
  }
  things.delete(cellOf(pose.x, pose.y))
  const standing = before.things.get(cellOf(pose.x, pose.y))
  if (standing?.kind.type === 'door') {
    things.set(standing.cell, { ...standing, kind: { ...standing.kind, state: 'open' } })
    open.add(standing.cell)
  }
  const known = before.views.filter((view) => !isSame(view.pose, pose))
  return { ...drawn, views: [...known, { pose, open }].slice(-mostViews) }
}

/** Cells of walls that lie across the way one looks, and along it. In a doorway the frame says nothing of walls. */
function linesIn(
  { things }: Chart,
  pose: Pose,
  { wall, things: seen }: Sight,
): Record<'across' | 'along', readonly number[]> {
  const isInDoor = things.get(cellOf(pose.x, pose.y))?.kind.type === 'door'
  if (isInDoor && wall === 1) return { across: [], along: [] }
  const doors = seen.filter(({ kind, ahead }) => kind.type === 'door' && ahead > 0 && ahead <= reach)
  const straight = doors.filter(({ aside }) => aside === 0).map(({ ahead }) => ahead)
  const across = [...straight, ...(wall !== undefined && wall <= reach ? [wall] : [])]
  const beside = straight.length > 0 || wall === undefined ? [] : doors.filter(({ ahead }) => ahead < wall)
  return {
    across: across.map((ahead) => cellFrom(pose, ahead, 0)),
    along: beside.map(({ ahead, aside }) => cellFrom(pose, ahead, aside)),
  }
}

const isSame = (one: Pose, other: Pose): boolean =>
  one.x === other.x && one.y === other.y && one.heading === other.heading

function including(list: readonly number[], line: number): readonly number[] {
  return list.includes(line) ? list : [...list, line]
}

/** Cells that can be seen ahead, and to each side. */
export const reach = 6
const breadth = 3

/** Marks the cells that are walls, so far as is known, with 1. */
export function walls(chart: Chart): Uint8Array {
  const { columns, rows, free, things } = chart
  const period = periodOf(columns, rows)
  const isColumn = spread(columns, period)
  const isRow = spread(rows, period)
  const marks = new Uint8Array(mapSize * mapSize)
  for (let column = 0; column < mapSize; column++) {
    if (isColumn[column] === 1) for (let cell = column; cell < marks.length; cell += mapSize) marks[cell] = 1
  }
  for (let row = 0; row < mapSize; row++) {
    if (isRow[row] === 1) marks.fill(1, row * mapSize, (row + 1) * mapSize)
  }
  for (const cell of free) marks[cell] = 0
  for (const { cell, kind } of things.values()) if (kind.type === 'door') marks[cell] = 0
  return marks
}

/** Marks cells that nothing can be seen through with 1; `open` are the doors that stand open. */
function opacity({ things }: Chart, marks: Uint8Array, open?: ReadonlySet<number>): Uint8Array {
  const opaque = marks.slice()
  for (const { cell, kind } of things.values()) {
    if (kind.type === 'door' && (open === undefined ? kind.state !== 'open' : !open.has(cell))) opaque[cell] = 1
  }
  if (open !== undefined) for (const cell of open) opaque[cell] = 0
  return opaque
}

/** The distance of walls: what divides all distances of lines; 0 where it is not known. */
function periodOf(columns: readonly number[], rows: readonly number[]): number {
  let period = 0
  for (const lines of [columns, rows]) {
    for (const line of lines) period = commonDivisor(period, Math.abs(line - lines[0]!))
  }
  return period < 3 ? 0 : period
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other)
}

function spread(lines: readonly number[], period: number): Uint8Array {
  const marks = new Uint8Array(mapSize)
  for (const line of lines) {
    const at = line + mapSize / 2
    marks[at] = 1
    if (period === 0) continue
    for (let next = at % period; next < mapSize; next += period) marks[next] = 1
  }
  return marks
}

/** What can be seen of a map: from anywhere now, and what was seen so far. */
export interface Outlook {
  isWall(cell: number): boolean
  /** Cells that can be seen from a pose. */
  from(pose: Pose): readonly number[]
  isSeen(cell: number): boolean
}

/** Works out what can be seen. */
export function outlookOn(chart: Chart): Outlook {
  const marks = walls(chart)
  const opaque = opacity(chart, marks)
  const seen = new Uint8Array(mapSize * mapSize)
  const past = marks.slice()
  for (const { cell, kind } of chart.things.values()) if (kind.type === 'door') past[cell] = 1
  for (const { pose, open } of chart.views) {
    const before = [...open].map((cell) => [cell, past[cell]!] as const)
    for (const cell of open) past[cell] = 0
    for (const cell of lookAround(pose, past)) seen[cell] = 1
    for (const [cell, mark] of before) past[cell] = mark
  }
  return {
    isWall: (cell) => marks[cell] === 1,
    from: (pose) => lookAround(pose, opaque),
    isSeen: (cell) => seen[cell] === 1,
  }
}

const width = 2 * breadth + 1

/** Cells in sight: light spreads row by row from where one stands, to both sides and ahead, through all that is not marked as opaque. */
function lookAround(pose: Pose, opaque: Uint8Array): readonly number[] {
  const found: number[] = []
  const forward = strides[pose.heading]!
  const right = strides[(pose.heading + 1) & 3]!
  const origin = cellOf(pose.x, pose.y)
  let lit = 1 << breadth
  for (let ahead = 0; ahead <= reach && lit !== 0; ahead++) {
    const row = origin + ahead * forward
    let next = 0
    let clear = 0
    for (let at = 0; at < width; at++) {
      const cell = row + (at - breadth) * right
      if ((ahead === 0 && at === breadth) || opaque[cell] !== 1) clear |= 1 << at
    }
    for (let at = 0; at < width - 1; at++) {
      if ((lit & clear & (1 << at)) === 0) continue
      lit |= 2 << at
      next |= 3 << at
    }
    for (let at = width - 1; at > 0; at--) {
      if ((lit & clear & (1 << at)) === 0) continue
      lit |= 1 << (at - 1)
      next |= 3 << (at - 1)
    }
    for (let at = 0; at < width; at++) {
      if ((lit & (1 << at)) !== 0) found.push(row + (at - breadth) * right)
    }
    lit = next
  }
  return found
}

/** Whether a cell lies within sight of a pose, walls aside. */
export function isWithinSight(pose: Pose, cell: number): boolean {
  const { ahead, aside } = bearing(pose, cell)
  return ahead >= 0 && ahead <= reach && Math.abs(aside) <= breadth
}
