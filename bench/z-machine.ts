import { createRandom } from '../src/core/random.js'
import { Machine } from '../src/environments/jericho/machine/machine.js'
import type { HostileStories } from '../test/environments/jericho/hostile-stories.js'
import { playHostileStories } from '../test/environments/jericho/hostile-stories.js'
import type { Version } from '../test/environments/jericho/stories.js'
import { roomsCommands, story, versions } from '../test/environments/jericho/stories.js'
import { size } from './_size.js'

/** Speed of the interpreter on a small story of ours, on one core, after a warm-up. */
export interface ZMachineFigures {
  readonly version: Version
  readonly inputsPerSecond: number
  readonly instructionsPerInput: number
  readonly snapshotMicroseconds: number
  readonly restoreMicroseconds: number
}

const inputs = size(100_000, 500)
const damaged = size(20_000, 20)
const copies = size(20_000, 100)

/** Measures the interpreter, then types 100,000 random lines and plays 20,000 damaged stories. */
export function zMachine(): { readonly speed: readonly ZMachineFigures[]; readonly hostile: HostileStories } {
  const speed = versions.map((version) => {
    measure(version)
    const figures = measure(version)
    console.log(
      `Z-machine, version ${version}: ${Math.round(figures.inputsPerSecond).toLocaleString('en')} inputs/s ` +
        `(${figures.instructionsPerInput.toFixed(0)} instructions each), snapshot ${figures.snapshotMicroseconds.toFixed(1)} µs, ` +
        `restore ${figures.restoreMicroseconds.toFixed(1)} µs`,
    )
    return figures
  })
  const hostile = playHostileStories(inputs, damaged, createRandom('hostile stories at length'))
  console.log(
    `Z-machine: ${hostile.inputs.toLocaleString('en')} random inputs; ${damaged.toLocaleString('en')} damaged stories: ` +
      `${hostile.refused.toLocaleString('en')} refused, ${hostile.faults.toLocaleString('en')} ended by a fault, ` +
      `${hostile.played.toLocaleString('en')} played; ${hostile.crashes.length} other errors; at most ` +
      `${hostile.longestMs.toFixed(0)} ms between two inputs; ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB resident`,
  )
  return { speed, hostile }
}

function measure(version: Version): ZMachineFigures {
  const machine = new Machine(story('rooms', version), { seed: 1 })
  machine.start()
  const rounds = Math.ceil(inputs / roomsCommands.length)
  const { instructions } = machine
  const seconds = secondsOf(rounds, () => {
    for (const command of roomsCommands) machine.step(command)
  })
  const snapshot = machine.snapshot()
  return {
    version,
    inputsPerSecond: (rounds * roomsCommands.length) / seconds,
    instructionsPerInput: (machine.instructions - instructions) / (rounds * roomsCommands.length),
    snapshotMicroseconds: (secondsOf(copies, () => machine.snapshot()) / copies) * 1e6,
    restoreMicroseconds:
      (secondsOf(copies, () => {
        machine.restore(snapshot)
      }) /
        copies) *
      1e6,
  }
}

function secondsOf(times: number, work: () => unknown): number {
  const begun = performance.now()
  for (let time = 0; time < times; time++) work()
  return (performance.now() - begun) / 1000
}
