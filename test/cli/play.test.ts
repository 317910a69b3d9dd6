import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { main, shaketable } from './_command.js'

const here = tmpdir()
const play = (line: string, variables?: Readonly<Record<string, string>>) =>
  shaketable(['play', ...line.split(' ')], here, variables)

describe('shaketable play', () => {
  it.each([
    [
      'household --set household.games=gripper',
      "The environment 'household' has no option 'games'. Known: data, split, generation, order, prompt.\n",
    ],
    [
      'household --task 1000',
      'There is no task number 1000. Give a number from 1 to 134, or an id; --list shows them.\n',
    ],
    [
      'pddl --set pddl.data=/nowhere',
      "Expected AgentBoard's PDDL games in /nowhere, but there are none. Give a folder with gripper.pddl",
    ],
  ])('refuses %s', async (line, message) => {
    const { code, stdout, stderr } = await play(line)
    expect(stderr.slice(0, message.length)).toBe(message)
    expect([code, stdout]).toEqual([2, ''])
  })

  it('ends with quit, although its input stays open', async () => {
    const child = spawn(process.execPath, [main, 'play', 'babyai'], { cwd: here, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.write('turn left\nquit\n')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('reads $ALFWORLD_DATA only for the household', async () => {
    const variables = { ALFWORLD_DATA: '/nowhere' }
    expect((await play('household --list', variables)).stderr).toMatch(/^Expected ALFWorld's data at \/nowhere/)
    expect((await play('babyai --list', variables)).code).toBe(0)
  })
})
