import type { Briefing, Example } from '../../core/environment.js'
import type { Text } from '../../core/text.js'
import type { Prompt } from '../agentboard-prompt.js'
import { instruct } from '../prompts.js'
import { advertisedOf, allTemplates, checkValidActions, formsOf } from './forms.js'
import { names } from './names.js'

/**
 * What decides a briefing beside the goal: the type of task, and which actions there are beside those of every episode.
 */
interface Abilities {
  /** The type of the task. */
  readonly type: string
  readonly electrical: boolean
  readonly teleport: boolean
}

/** The part of a briefing that does not depend on the goal: our own words, or those of AgentBoard's prompt file. */
export function createBriefing(
  { type, electrical, teleport }: Abilities,
  prompt: Prompt | undefined,
): Omit<Briefing, 'goal'> {
  return {
    system: prompt?.system ?? 'You do experiments in a house with a workshop and a greenhouse, by short lines of text.',
    instruction: prompt?.instruction ?? ownInstruction(electrical, teleport),
    forms: formsOf(electrical, teleport),
    knownForms: [...allTemplates, 'use {obj} [on {other}]', 'wait [DURATION]'],
    examples: prompt?.examples ?? examplesFor(type).slice(0, 1),
    help: [checkValidActions, 'inventory'],
  }
}

const rules = `There is one task. You see only the room in which you are; other rooms are behind doors, and many things are inside others, so search \
wherever you come. Time passes with your actions: things warm up, cool down and grow. Reply with one action a time. Name an object ('{obj}', '{other}') or a \
room ('{place}') as you have read it; add where it is if there are several, as in apple in bowl. If you are asked for a number, reply with that number alone.`

function ownInstruction(electrical: boolean, teleport: boolean): Text {
  return instruct(rules, advertisedOf(electrical, teleport))
}

/** Worked examples that are not in the prompt, of tasks of other types than this. */
export function otherExamples(type: string, prompt: object | undefined): readonly Example[] {
  return prompt === undefined ? examplesFor(type).slice(1) : examplesFor(type)
}

const hall = `This room is called the hallway. In it, you see: 
\tthe agent
\ta substance called air
\ta picture
You also see:
\tA door to the art studio (that is closed)
\tA door to the bedroom (that is closed)
\tA door to the greenhouse (that is closed)
\tA door to the kitchen (that is closed)
\tA door to the living room (that is closed)
\tA door to the workshop (that is closed)
In your inventory, you see:
\tan orange
`

const kitchen = `This room is called the kitchen. In it, you see: 
\tthe agent
\ta substance called air
\ta chair. On the chair is: nothing.
\ta counter. On the counter is: a bowl (containing a red apple, a banana, an orange, a potato), a drawer.
\ta cupboard. The cupboard door is closed. 
\ta freezer. The freezer door is closed. 
\ta fridge. The fridge door is closed. 
\ta glass jar (containing a substance called sodium chloride)
\ta lighter
\ta oven, which is turned off. The oven door is closed. 
\ta painting
\ta red box (containing nothing)
\ta sink, which is turned off. In the sink is: nothing.
\ta substance called soap
\ta stopwatch, which is deactivated. 
\ta stove, which is turned off. On the stove is: nothing.
\ta table. On the table is: a glass cup (containing nothing).
\ta thermometer, currently reading a temperature of 10 degrees celsius
You also see:
\tA door to the bathroom (that is closed)
\tA door to the hallway (that is open)
\tA door to the outside (that is closed)`

const outside = `This outside location is called the outside. Here you see: 
\tthe agent
\ta substance called air
\tan axe
\ta blue jay egg
\ta butterfly egg
\ta dove egg
\ta fire pit (containing nothing)
\ta fountain (containing a substance called water)
\tthe ground
\ta substance called wood
You also see:
\tA door to the foundry (that is closed)
\tA door to the greenhouse (that is closed)
\tA door to the kitchen (that is open)`

const open = 'The door is now open.'
type Turns = readonly (readonly [action: string, observation: string])[]

const toKitchen: Turns = [
  ['open door to kitchen', open],
  ['go to kitchen', 'You move to the kitchen.'],
]
const toOutside: Turns = [
  ['open door to outside', open],
  ['go to outside', 'You move to the outside.'],
]
const toAnimals: Turns = [
  ['open door to greenhouse', open],
  ['go to greenhouse', 'You move to the greenhouse.'],
  ...toOutside,
]
const bear = ['focus on baby baby brown bear', 'You focus on the baby brown bear.'] as const
const mouse = ['focus on baby baby mouse', 'You focus on the baby mouse.'] as const

/** A worked example, and the type of its task. */
interface Shown {
  readonly type: string
  readonly example: Example
}

/**
 * Variations 0 of five types, which are for training, as engine 1.3.0 (Apache-2.0) plays them without simplifications.
 */
const shown: readonly Shown[] = [
  show(
    'find-non-living-thing',
    'Your task is to find a(n) non-living thing. First, focus on the thing. Then, move it to the red box in the kitchen.',
    [
      ...toKitchen,
      ['look around', kitchen],
      ['focus on lighter', 'You focus on the lighter.'],
      ['move lighter to red box', 'You move the lighter to the red box.'],
    ],
  ),
  show(
    'lifespan-shortest-lived',
    "Your task is to find the animal with the shortest life span.  The animals are in the 'outside' location.  Focus on the animal with the shortest life span.",
    [...toAnimals, mouse],
  ),
  show(
    'lifespan-longest-lived',
    "Your task is to find the animal with the longest life span.  The animals are in the 'outside' location.  Focus on the animal with the longest life span.",
    [...toAnimals, bear],
  ),
  show(
    'find-living-thing',
    'Your task is to find a(n) living thing. First, focus on the thing. Then, move it to the red box in the kitchen.',
    [
      ...toKitchen,
      ...toOutside,
      ['look around', outside],
      ['focus on dove', 'You focus on the dove egg.'],
      ['pick up dove', 'You move the dove to the inventory.'],
      ['open door to kitchen', 'The door is already open.'],
      ['go to kitchen', 'You move to the kitchen.'],
      ['move egg dove egg in inventory to red box', 'You move the dove to the red box.'],
    ],
  ),
  show(
    'lifespan-longest-lived-then-shortest-lived',
    "Your task is to find the animal with the longest life span, then the shortest life span. First, focus on the animal with the longest life span.  Then, focus on the animal with the shortest life span. The animals are in the 'outside' location.",
    [...toAnimals, bear, mouse],
  ),
]

function show(type: string, goal: string, turns: Turns): Shown {
  return {
    type,
    example: {
      opening: [`${goal}\n${hall}`],
      exchanges: turns.map(([action, observation]) => ({ action, observation: [observation] })),
      names,
    },
  }
}

/** Our worked examples of tasks of other types, the first of which is in the prompt. */
function examplesFor(type: string): readonly Example[] {
  return shown.filter((one) => one.type !== type).map(({ example }) => example)
}
