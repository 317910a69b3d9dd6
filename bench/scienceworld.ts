import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { Engine } from '../src/environments/scienceworld/engine.js'
import { Gateway } from '../src/environments/scienceworld/py4j.js'
import { size } from './_size.js'

/** Cost of ScienceWorld's client, in milliseconds. */
export interface ScienceworldFigures {
  /** A round trip to a process on loopback, without any protocol. */
  readonly bare: number
  /** A call over py4j's protocol to the same process. */
  readonly call: number
  /** What a step, its score and its end, three calls, cost beyond the engine. */
  readonly step: number
  /** A list of 2,726 actions, beyond the time that the engine needs to make it. */
  readonly list: number
  /** With $SCIENCEWORLD_JAR: a step, and a step with room, inventory and list, of the real engine. */
  readonly real?: { readonly step: number; readonly full: number }
}

const rounds = size(3000, 30)
const listLength = 2726

/** Answers every command at once: with a list where it is joined, else with a short text. */
const server = `
const list = Array.from({ length: ${String(listLength)} }, (_, index) => 'connect object ' + index + ' to another object').join('\\u0001')
require('node:net').createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (data) => socket.write(data.includes('join') ? '!ys' + list + '\\n' : data.includes('getScore') ? '!yd0.5\\n' : data.includes('getList') ? '!ylo1\\n' : '!ysYou move to the kitchen.\\n'))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

/** Measures the client against a server that needs no time, and against the engine where there is one. */
export async function scienceworld(): Promise<ScienceworldFigures> {
  const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))))
    const bare = await timeBare(port)
    const gateway = await Gateway.open(port, 10_000)
    const game = { ref: 'o0' }
    const call = await time(rounds, () => gateway.call(game, 'getScore'))
    const list = await time(100, async () => {
      await gateway.call(game, 'getList')
      await gateway.strings({ ref: 'o1' })
    })
    gateway.close()
    const jar = process.env['SCIENCEWORLD_JAR']
    const real = jar === undefined ? undefined : await measureEngine(jar)
    const figures = { bare, call, step: 3 * call, list, ...(real && { real }) }
    const engine =
      real === undefined
        ? 'the engine itself is not here ($SCIENCEWORLD_JAR)'
        : `with the engine ${show(real.step)} a step, ${show(real.full)} with room, inventory and list`
    console.log(
      `scienceworld: ${show(call)} a call (a bare round trip ${show(bare)}), so ${show(figures.step)} beyond the engine for a step with score and end; ` +
        `${show(list)} for a list of ${listLength.toLocaleString('en')} actions; ${engine}`,
    )
    return figures
  } finally {
    child.kill()
  }
}

async function measureEngine(jar: string): Promise<{ readonly step: number; readonly full: number }> {
  const engine = await Engine.start({ jar, java: 'java', deadlineMs: 60_000 })
  try {
    await engine.load('boil', 0, '')
    await time(100, () => engine.step('look around'))
    const step = await time(300, () => engine.step('look around'))
    const full = await time(100, async () => {
      await engine.step('look around')
      await engine.look()
      await engine.inventory()
      await engine.actions()
    })
    return { step, full }
  } finally {
    await engine.close()
  }
}

/** Milliseconds of one round trip of a bare socket. */
async function timeBare(port: number): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await new Promise((resolve) => socket.once('connect', resolve))
  const trip = (): Promise<void> =>
    new Promise((resolve) => {
      socket.once('data', () => resolve())
      socket.write('c\no0\ngetScore\ne\n')
    })
  const found = await time(rounds, trip)
  socket.destroy()
  return found
}

/** Milliseconds of one piece of work, after a warm-up. */
async function time(times: number, work: () => Promise<unknown>): Promise<number> {
  for (let count = 0; count < times / 10; count++) await work()
  const started = performance.now()
  for (let count = 0; count < times; count++) await work()
  return (performance.now() - started) / times
}

function show(milliseconds: number): string {
  return milliseconds < 1 ? `${(milliseconds * 1000).toFixed(0)} µs` : `${milliseconds.toFixed(1)} ms`
}
