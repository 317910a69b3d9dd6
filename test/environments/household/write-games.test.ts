import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { compileGame } from '../../../src/environments/household/engine/engine.js'
import { readGameFile, sourceOf } from '../../../src/environments/household/engine/game-file.js'
import { openDataFolder } from '../../../src/environments/household/folder-games.js'
import { householdTasks } from '../../../src/environments/household/scenes/tasks.js'
import { generations } from '../../../src/environments/household/text/domain.js'
import { scratchFolder } from '../../scratch.js'
import { writeGames } from './write-games.js'

describe('games that are written as ALFWorld has them', () => {
  it.each(generations)('play like the tasks in memory: %s', (generation) => {
    const folder = scratchFolder()
    writeGames({ folder, generation, split: 'valid-unseen', count: 8 })
    const tasks = householdTasks({ split: 'valid-unseen', count: 8 })
    const data = openDataFolder(folder)
    expect([...data.list('valid_unseen')].sort()).toEqual(tasks.map(({ id }) => id).sort())
    for (const task of tasks) {
      const file = readGameFile(data.path(task.id))
      const [read, kept] = [
        compileGame(sourceOf(file, task.id), task.id),
        compileGame(task.game(generation), task.id).start(),
      ]
      const walked = read.start()
      for (const command of file.walkthrough!) {
        expect({ command, accepted: walked.step(command).accepted, generation }).toMatchObject({ accepted: true })
      }
      expect(walked.won).toBe(true)
      const strayed = read.start()
      expect(strayed.opening).toBe(kept.opening)
      const random = createRandom(task.id)
      for (let step = 0; step < 40; step++) {
        expect(strayed.admissible()).toEqual(kept.admissible())
        const command = random.pick(strayed.admissible())
        expect(strayed.step(command)).toEqual(kept.step(command))
      }
    }
  })
})
