import type { Family } from './situation.js'
import { numbered, some } from './situation.js'

interface Size {
  readonly hubs: number
  /** Of so many hubs the goal wants the spare wheel on the hub, inflated, and the flat wheel in the boot. */
  readonly whole: number
  /** Of so many others only some of that. */
  readonly on?: number
  readonly inflated?: number
  readonly stowed?: number
  /** How far things are: nothing is done; the boot is open and the tools at hand; and a hub is lifted, all nuts loose. */
  readonly start: 'untouched' | 'any' | 'begun'
}

const tools = ['wrench', 'jack', 'pump'] as const

/** Flat wheels on hubs, spare ones in the boot, and what should become of them. */
export const tyreworld: Family<Size> = {
  sizes: [
    { hubs: 1, whole: 1, start: 'any' },
    { hubs: 3, whole: 0, inflated: 3, start: 'untouched' },
    { hubs: 3, whole: 1, inflated: 2, start: 'any' },
    { hubs: 9, whole: 2, start: 'any' },
    { hubs: 3, whole: 3, start: 'any' },
    { hubs: 4, whole: 4, start: 'begun' },
    { hubs: 1, whole: 0, on: 1, stowed: 1, start: 'any' },
    { hubs: 3, whole: 0, inflated: 1, stowed: 2, start: 'any' },
    { hubs: 3, whole: 0, stowed: 2, start: 'any' },
    { hubs: 4, whole: 0, stowed: 2, start: 'any' },
  ],
  easy: 6,
  draw({ hubs: count, whole, on = 0, inflated = 0, stowed = 0, start }, random) {
    const begun = start === 'begun'
    const any = (): boolean => start === 'any' && random.int(3) === 0
    const hubs = Array.from({ length: count }, (_, index) => String(index + 1))
    const changed = some(hubs, whole, random)
    const left = hubs.filter((hub) => !changed.includes(hub))
    // A hub that is to get its spare wheel may also be one whose flat wheel is to be stowed.
    const mounted = [...changed, ...some(left, on, random)]
    const emptied = [...changed, ...some(left, stowed, random)]
    const pumped = [...changed, ...some(left, inflated, random)]

    const open = begun || any()
    const held = tools.filter(() => open && (begun || any()))
    const lifted = begun ? random.pick(hubs) : undefined
    const loose = hubs.filter(() => begun || any())
    const full = hubs.filter((hub) => !pumped.includes(hub) && any())
    const inBoot = tools.filter((tool) => !held.includes(tool))
    const handled = hubs.filter((hub) => mounted.includes(hub) || emptied.includes(hub))

    const fetched = inBoot.filter((tool) => (tool === 'pump' ? pumped : handled).length > 0).length
    const lifts = handled.filter((hub) => hub !== lifted).length
    // The one jack comes down before each lift but the first.
    const lowered = lifted === undefined ? Math.max(lifts - 1, 0) : lifts
    const nuts = handled.filter((hub) => !loose.includes(hub)).length
    // Undo the nut and take the wheel off; fetch the spare one and put it on; put the flat one away; inflate.
    const wheels = 2 * handled.length + 2 * mounted.length + emptied.length + pumped.length

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
        ...inBoot.map((tool) => `in ${tool} boot`),
        ...held.filter((tool) => tool !== 'jack' || lifted === undefined).map((tool) => `have ${tool}`),
        ...hubs.flatMap((hub) => [
          `in spare${hub} boot`,
          `intact spare${hub}`,
          `${full.includes(hub) ? 'inflated' : 'not-inflated'} spare${hub}`,
          `on flat${hub} hub${hub}`,
          `${loose.includes(hub) ? 'loose' : 'tight'} nut${hub} hub${hub}`,
          `fastened hub${hub}`,
          `${hub === lifted ? 'not-on-ground' : 'on-ground'} hub${hub}`,
        ]),
      ],
      goal: [
        ...mounted.map((hub) => `on spare${hub} hub${hub}`),
        ...pumped.map((hub) => `inflated spare${hub}`),
        ...emptied.map((hub) => `in flat${hub} boot`),
      ],
      enough: (open ? 0 : 1) + fetched + nuts + lifts + lowered + wheels,
    }
  },
}
