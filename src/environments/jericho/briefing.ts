import type { Briefing, Example } from '../../core/environment.js'
import type { ActionForm } from '../../core/form.js'
import { instruct } from '../prompts.js'
import { advertisedForms, allForms, checkAction } from './forms.js'
import type { PromptFile } from '../agentboard-prompt.js'

/** The briefing of a story: our own instruction and worked example, or those of AgentBoard's prompt file. */
export function createBriefing(forms: readonly ActionForm[], prompt: PromptFile | undefined): Omit<Briefing, 'goal'> {
  if (prompt !== undefined) {
    const { system, instruction, examples, forms: advertised } = prompt.prompts.all
    return {
      system,
      instruction,
      forms: [...forms, ...advertised],
      knownForms,
      examples,
      help: [checkAction, 'inventory'],
    }
  }
  return {
    system: 'You play text adventures by short lines of text.',
    instruction: instruct(
      rules,
      forms.filter(({ template }) => advertisedForms.some((form) => form.template === template)),
    ),
    forms,
    knownForms,
    examples: [examples[0]!],
    help: [checkAction],
  }
}

/** Worked examples of other adventures. */
export const otherExamples: () => readonly Example[] = () => examples.slice(1)

/** The forms of all stories; AgentBoard's prompt file writes some with a capital letter. */
const knownForms = [...allForms, ...advertisedForms, { template: 'put down {obj}' }].flatMap(({ template }) => [
  template,
  `${template[0]!.toUpperCase()}${template.slice(1)}`,
])

const rules = `You are the hero of a text adventure. You read where you are and what you see there, and after each action what came of it. \
Reply with one action, a verb and what it is about. Name a thing ('{obj}') as you have read it. Things may be inside of others, and a dark place needs a light.`

const list = 'You can take the following actions: '

/** Scenes of our own, of no story that is played. */
const examples: readonly Example[] = [
  {
    opening: [
      'Your goal: Water the roses.\nGarden Gate You stand in front of a wooden gate. A path leads east, to a shack. There is a doormat here.',
    ],
    exchanges: [
      {
        action: 'east',
        observation: ['Shack Spades and rakes lean on the wall. A path leads west. There is a watering can here.'],
      },
      { action: 'take watering can', observation: ['You have the watering can now.'] },
      {
        action: 'west',
        observation: ['Garden Gate You stand in front of a wooden gate. A path leads east. There is a doormat here.'],
      },
      {
        action: checkAction,
        observation: [list, { list: ['east', 'move doormat', 'drop watering can', checkAction] }],
      },
      { action: 'move doormat', observation: ['There is a small key below it.'] },
      { action: 'take small key', observation: ['You have the small key now.'] },
      { action: 'unlock wooden gate with small key', observation: ['The lock clicks, and the gate opens.'] },
      { action: 'north', observation: ['Rose Garden Roses hang their heads in the heat.'] },
      { action: 'water roses', observation: ['The roses lift their heads.'] },
    ],
    names: ['watering can', 'doormat', 'small key', 'wooden gate', 'roses', 'spades', 'rakes'],
  },
  {
    opening: [
      'Your goal: Wake the night porter.\nLobby A counter, and behind it a porter who sleeps. A stair leads up.',
    ],
    exchanges: [
      { action: 'examine counter', observation: ['It has a drawer.'] },
      { action: 'open drawer', observation: ['There is a brass bell in the drawer.'] },
      { action: 'take brass bell', observation: ['Taken.'] },
      { action: 'ring brass bell', observation: ['The porter opens one eye.'] },
    ],
    names: ['counter', 'drawer', 'brass bell', 'porter'],
  },
  {
    opening: [
      'Your goal: Read the notice in the mine.\nMine Entrance A tunnel leads down into the dark. A miner has left a helmet here.',
    ],
    exchanges: [
      { action: checkAction, observation: [list, { list: ['down', 'take helmet', checkAction] }] },
      { action: 'take helmet', observation: ['You pick up the helmet. It has a lamp.'] },
      { action: 'turn on helmet', observation: ['The lamp of the helmet shines.'] },
      { action: 'down', observation: ['Tunnel The lamp shows a notice on a beam.'] },
      { action: 'read notice', observation: ['Hard hats only, it says.'] },
    ],
    names: ['helmet', 'notice', 'beam'],
  },
  {
    opening: [
      'Your goal: Give the baker his hat back.\nMarket Stalls in rows. A straw hat lies in the gutter. The bakery is south.',
    ],
    exchanges: [
      { action: 'take straw hat', observation: ['It is wet, but yours for now.'] },
      { action: 'south', observation: ['Bakery It smells of bread. The baker looks up.'] },
      { action: 'give straw hat to baker', observation: ['He puts it on and gives you a bun.'] },
    ],
    names: ['straw hat', 'baker', 'bun'],
  },
]
