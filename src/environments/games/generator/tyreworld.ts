import type { Random } from '../../../core/random.js'
import type { Situation } from './situation.js'
import { defineFamily, numbered, some } from './situation.js'

interface Size {
  readonly hubs: number
  /** The number of hubs whose spare wheel should be on the hub and inflated, and whose flat wheel in the boot. */
  readonly whole: number
  /** The numbers of other hubs for which the goal requires only one of these. */
  readonly on?: number
  readonly inflated?: number
  readonly stowed?: number
  /** Whether much of the work is done at the start, since all of it exceeds the step limit. */
  readonly begun?: true
}

const tools = ['wrench', 'jack', 'pump'] as const

/** The sizes of the benchmark's problems. */
const sizes: readonly Size[] = [
  { hubs: 1, whole: 1 },
  { hubs: 3, whole: 0, inflated: 3 },
  { hubs: 3, whole: 1, inflated: 2 },
  { hubs: 9, whole: 2 },
  { hubs: 3, whole: 3 },
  { hubs: 4, whole: 4, begun: true },
  { hubs: 1, whole: 0, on: 1, stowed: 1 },
  { hubs: 3, whole: 0, inflated: 1, stowed: 2 },
  { hubs: 3, whole: 0, stowed: 2 },
  { hubs: 4, whole: 0, stowed: 2 },
]

/** Flat wheels on hubs, spare ones in the boot, and a goal for both. */
export const tyreworld = defineFamily(6, sizes, draw)

function draw({ hubs: count, whole, on = 0, inflated = 0, stowed = 0, begun }: Size, random: Random): Situation {
  const hubs = Array.from({ length: count }, (_, index) => String(index + 1))
  const changed = some(hubs, whole, random)
  const left = hubs.filter((hub) => !changed.includes(hub))
  const mounted = [...changed, ...some(left, on, random)]
  const stowing = [...changed, ...some(left, stowed, random)]
  const pumped = [...changed, ...some(left, inflated, random)]
  const handled = hubs.filter((hub) => mounted.includes(hub) || stowing.includes(hub))

  const isDone = (): boolean => (begun ? random.int(4) > 0 : random.int(4) === 0)
  const open = isDone()
  const fetched = (things: readonly string[]): string[] => things.filter(() => open && isDone())
  const held = [...fetched(tools), ...fetched(hubs.map((hub) => `spare${hub}`))]
  const lifted = held.includes('jack') && isDone() ? random.pick(handled.length > 0 ? handled : hubs) : undefined
  const loose = hubs.filter(isDone)
  const full = hubs.filter((hub) => !pumped.includes(hub) && isDone())

  const needed = [
    ...(handled.length > 0 ? ['wrench', 'jack'] : []),
    ...(pumped.length > 0 ? ['pump'] : []),
    ...mounted.map((hub) => `spare${hub}`),
  ]
  const lifts = handled.filter((hub) => hub !== lifted).length
  return {
    objects: [
      'boot - container',
      `${numbered('hub', count).join(' ')} - hub`,
      `${numbered('nut', count).join(' ')} - nut`,
      `${[...numbered('flat', count), ...numbered('spare', count)].join(' ')} - wheel`,
    ],
    init: [
      'unlocked boot',
      `${open ? 'isopen' : 'closed'} boot`,
      ...[...tools, ...numbered('spare', count)]
        // A jack under a hub is neither held nor in the boot.
        .filter((thing) => thing !== 'jack' || lifted === undefined)
        .map((thing) => (held.includes(thing) ? `have ${thing}` : `in ${thing} boot`)),
      ...hubs.flatMap((hub) => [
        `intact spare${hub}`,
        `${full.includes(hub) ? 'inflated' : 'not-inflated'} spare${hub}`,
        `on flat${hub} hub${hub}`,
        `${loose.includes(hub) || hub === lifted ? 'loose' : 'tight'} nut${hub} hub${hub}`,
        `fastened hub${hub}`,
        `${hub === lifted ? 'not-on-ground' : 'on-ground'} hub${hub}`,
      ]),
    ],
    goal: [
      ...mounted.map((hub) => `on spare${hub} hub${hub}`),
      ...pumped.map((hub) => `inflated spare${hub}`),
      ...stowing.map((hub) => `in flat${hub} boot`),
    ],
    solutionLength:
      (open ? 0 : 1) +
      needed.filter((thing) => !held.includes(thing)).length +
      handled.filter((hub) => !loose.includes(hub) && hub !== lifted).length +
      // The only jack comes down before each lift except the first.
      lifts +
      (lifted === undefined ? Math.max(lifts - 1, 0) : lifts) +
      // Undo the nut and take the wheel off, put the other one on, put it away, pump it up.
      2 * handled.length +
      mounted.length +
      stowing.length +
      pumped.length,
  }
}
