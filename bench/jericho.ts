import { createRandom } from '../src/core/random.js'
import { knownGames, readHeronLight } from '../src/environments/jericho/tasks.js'
import { openStory } from '../src/environments/jericho/story.js'
import { createActionFinder } from '../src/environments/jericho/valid-actions.js'
import { size } from './_size.js'

/** Speed of the embedded story per second of processor time. */
export interface JerichoFigures {
  /** Random listed actions, each with the list of actions. */
  readonly stepsPerSecond: number
  /** Lists of actions that were not kept from an earlier step. */
  readonly listsPerSecond: number
}

const episodeSteps = size(30, 2)
const rounds = 1

/** Measures lists of actions in the embedded story. */
export function jericho(): JerichoFigures {
  measure()
  const figures = measure()
  console.log(
    `jericho: ${thousands(figures.stepsPerSecond)} steps/s with the list of actions over the embedded story, ` +
      `${thousands(figures.listsPerSecond)} new lists/s (processor time)`,
  )
  return figures
}

const thousands = (number: number): string => Math.round(number).toLocaleString('en')

function measure(): JerichoFigures {
  const story = openStory(readHeronLight(), 0)
  const findActions = createActionFinder(story)
  const machine = story.createMachine()
  const begun = process.cpuUsage()
  let steps = 0
  const states = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    for (const task of knownGames().heronLight) {
      const random = createRandom(`bench ${task.id} ${String(round)}`)
      machine.start()
      for (const line of task.start) machine.step(line)
      for (let step = 0; step < episodeSteps && !machine.finished; step++, steps++) {
        states.add(Buffer.from(machine.dynamicMemory).toString('latin1'))
        machine.step(random.pick(findActions(machine)))
      }
    }
  }
  const { user, system } = process.cpuUsage(begun)
  const seconds = (user + system) / 1e6
  return { stepsPerSecond: steps / seconds, listsPerSecond: states.size / seconds }
}
