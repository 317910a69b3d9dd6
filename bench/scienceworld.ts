import { spawn } from 'node:child_process'
import { Engine } from '../src/environments/scienceworld/engine.js'
import { Gateway } from '../src/environments/scienceworld/py4j.js'
import { size } from './_size.js'
import { medianMs, timeText } from './_speed.js'

/** Answers every command at once: with a list where it is joined, else with a short text. */
const server = `
const list = Array.from({ length: 2726 }, (_, index) => 'connect object ' + index + ' to another object').join('\\u0001')
require('node:net').createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (data) => socket.write(data.includes('join') ? '!ys' + list + '\\n' : data.includes('getScore') ? '!yd0.5\\n' : data.includes('getList') ? '!ylo1\\n' : '!ysYou move to the kitchen.\\n'))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

/**
 * Measures ScienceWorld's client against a server that needs no time, and with $SCIENCEWORLD_JAR against the engine. A
 * step, its score and its end are three calls.
 */
export async function scienceworld(): Promise<void> {
  const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))))
    const gateway = await Gateway.open(port, 10_000)
    const call = await medianMs(size(3000, 30), () => gateway.call({ ref: 'o0' }, 'getScore'))
    const list = await medianMs(100, async () => {
      await gateway.call({ ref: 'o0' }, 'getList')
      await gateway.strings({ ref: 'o1' })
    })
    gateway.close()
    console.log(`scienceworld: ${timeText(call)} a call, ${timeText(list)} for a list of 2,726 actions`)
  } finally {
    child.kill()
  }
  const jar = process.env['SCIENCEWORLD_JAR']
  if (jar === undefined) return
  const engine = await Engine.start({ jar, java: 'java', deadlineMs: 60_000 })
  try {
    await engine.load('boil', 0, '')
    const step = await medianMs(300, () => engine.step('look around'))
    const full = await medianMs(100, async () => {
      await engine.step('look around')
      await engine.look()
      await engine.inventory()
      await engine.actions()
    })
    console.log(`scienceworld: the engine ${timeText(step)} a step, ${timeText(full)} with room, inventory and list`)
  } finally {
    await engine.close()
  }
}
