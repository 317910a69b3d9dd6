import type { Agent } from '../../src/core/agent.js'
import type { Environment, Turn, World } from '../../src/core/environment.js'
import { hashOf } from '../../src/core/episode.js'
import type { Model } from '../../src/core/model.js'
import { type Perturbation, definePerturbation, rewordActions } from '../../src/core/perturbation.js'
import { type GridParts, createGrid } from '../../src/run/grid.js'
import { createLocalPlayer } from '../../src/run/play-cell.js'
import { schedule } from '../../src/run/schedule.js'
import { openFileStore } from '../../src/run/store/file-store.js'

/** An environment of doors: `open door N` succeeds for the task's own number; other actions only cost a step. */
export function doors(tasks: number, options: { readonly broken?: string } = {}): Environment {
  return {
    name: 'doors',
    version: '1',
    summary: 'Open the right door.',
    source: 'made for tests',
    tasks: Array.from({ length: tasks }, (_, index) => ({
      id: `door-${String(index)}`,
      goal: `open door ${String(index)}`,
      kind: index % 2 === 0 ? 'even' : 'odd',
      hash: hashOf(index, 8),
    })),
    settings: { tasks },
    begin(task, random): World {
      if (task.id === options.broken) throw new Error(`the hinge of ${task.id} is broken`)
      const [first, second] = [random.int(1000), Number(task.id.slice(5))]
      const answer = (observation: string, understood: boolean, command: string, won = false): Turn => ({
        observation: [observation],
        original: observation,
        command,
        understood,
        progress: won ? 1 : 0,
        ended: won ? 'success' : false,
      })
      const step = (action: string): Turn => {
        const number = /^open door (\d+)$/.exec(action)?.[1]
        if (number === undefined) return answer('Nothing happens.', false, action)
        return answer(`You open door ${number}.`, true, action, Number(number) === second)
      }
      return {
        briefing: {
          system: 'You open doors.',
          instruction: ['Say ', { form: 'open {door}' }, '.'],
          forms: [{ template: 'open {door}', meaning: 'opens it' }],
          examples: [],
          goal: task.goal,
          help: [],
        },
        opening: [`A corridor with ${String(first)} lamps. Your task: open door ${String(second)}.`],
        originalOpening: `A corridor with ${String(first)} lamps. Your task: open door ${String(second)}.`,
        names: Array.from({ length: tasks }, (_, index) => `door ${String(index)}`),
        step,
        refuse: (action) => answer('Nothing happens.', false, action),
        admissible: () => Array.from({ length: tasks }, (_, index) => `open door ${String(index)}`),
        understands: (action) => /^open door \d+$/.test(action),
        solve: () => [`open door ${String(second)}`],
      }
    },
  }
}

/** Returns the reply as the action. */
export const plain: Agent = {
  name: 'plain',
  summary: 'The reply is the action.',
  source: 'made for tests',
  settings: {},
  stop: ['\n'],
  phrase: (action) => action,
  begin(briefing, opening) {
    const system = { role: 'system' as const, content: briefing.system }
    let said = opening
    return {
      messages: () => [system, { role: 'user', content: said }],
      read: (reply) => ({ action: reply.trim() }),
      observe(action, observation) {
        said += `\n> ${action}\n${observation}`
      },
    }
  },
}

/** Tries one door after the other, from its seed on; it never learns another wording. */
export const knocker: Model = {
  name: 'knocker',
  settings: { from: 'seed' },
  complete(messages, { seed }) {
    const tried = messages.at(-1)!.content.split('\n> ').length - 1
    return { text: `open door ${String(seed + tried)}` }
  },
}

/** Reads its task from the prompt and does it. */
export const sage: Model = {
  name: 'sage',
  settings: {},
  complete: (messages) => ({ text: /Your task: (open door \d+)/.exec(messages.at(-1)!.content)![1]! }),
}

export const unlock: Perturbation = definePerturbation({
  name: 'unlock',
  summary: 'open {door} → unlock {door}',
  source: 'made for tests',
  promise: 'invariant',
  open: () => rewordActions({ 'open {door}': 'unlock {door}' }),
})

/** A grid of doors: 2 conditions, 2 models, 2 temperatures, 2 seeds, and the given number of tasks. */
export function doorParts(tasks: number, changes: Partial<GridParts> = {}): GridParts {
  const environment = doors(tasks)
  return {
    environments: [{ environment, tasks: environment.tasks }],
    conditions: [
      { label: 'none', applied: [] },
      { label: 'unlock', applied: [{ perturbation: unlock }] },
    ],
    models: [
      { model: knocker, live: false },
      { model: sage, live: false },
    ],
    agents: [plain],
    temperatures: [0, 1],
    seeds: [0, 1],
    stepLimit: 5,
    maxTokens: 20,
    ...changes,
  }
}

/** Plays what a run folder lacks of a grid, or some of it. @returns the number of episodes, and notes of the store */
export async function playInto(folder: string, parts: GridParts, only?: readonly number[]) {
  const grid = createGrid(parts, '1.0.0')
  const planFile = { plan: grid.plan, experiment: { name: 'doors' } }
  const store = await openFileStore(folder, planFile, { date: '2026-11-22T10:00:00Z' })
  let played = 0
  const options = { plan: grid.plan, player: createLocalPlayer(grid, 1), store, stop: new AbortController().signal }
  await schedule({ ...options, played: () => played++, ...(only && { only }) })
  await store.close()
  return { played, notes: store.notes }
}
