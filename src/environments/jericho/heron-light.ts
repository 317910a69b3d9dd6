import { packagedPath } from '../../files/packaged.js'
import { readRegular } from '../../files/read-text.js'
import type { StoryTask } from './tasks.js'

/** The embedded story, `story/heron-light.z5`, compiled from the source beside it. */
export function readHeronLight(): Uint8Array {
  return readRegular(packagedPath('src/environments/jericho/story/heron-light.z5'))
}

const toYard = ['open crate', 'take herring', 'north', 'north']
const feedGull = ['give herring to gull', 'take brass key']
const throughShed = ['unlock shed door with brass key', 'west', 'take oil can', 'open sack', 'take iron key', 'east']
const lightLantern = ['east', 'take lantern', 'open cupboard', 'take tinderbox', 'light lantern']
const fetchPrism = ['move rug', 'open trapdoor', 'down', 'open chest', 'take glass prism', 'up']
const intoTower = ['west', 'unlock tower door with iron key', 'north', 'up']
const lightLamp = ['put glass prism in great lamp', 'fill great lamp', 'light great lamp']

const fed = 'The gull snaps up the herring and flies out to sea'
const atYard = 'The wind sweeps a paved yard'
const lit = 'A spark catches and the lantern burns'
const inTower = 'You are inside the tower at last'
const shines = 'The great lamp roars up'

/** Tasks on the embedded story, from easy to hard. */
export const heronLightTasks: readonly StoryTask[] = [
  {
    id: 'herring',
    goal: 'Take the herring to the yard.',
    difficulty: 'easy',
    start: [],
    subGoals: ['In it you see the herring', 'You take the herring', atYard],
    script: toYard,
  },
  {
    id: 'letter',
    goal: 'Find the letter and read it.',
    difficulty: 'easy',
    start: [],
    subGoals: [
      atYard,
      'A narrow bedroom under the roof',
      'In it you see the letter',
      'The letter says: My sight fails',
    ],
    script: ['north', 'north', 'east', 'up', 'open desk', 'read letter'],
  },
  {
    id: 'lantern',
    goal: 'Find the lantern and light it.',
    difficulty: 'easy',
    start: ['north', 'north', 'look'],
    subGoals: ['You take the lantern', 'In it you see the tinderbox', lit],
    script: lightLantern,
  },
  {
    id: 'key',
    goal: 'Get the brass key that the gull guards.',
    difficulty: 'easy',
    start: [],
    subGoals: ['You take the herring', atYard, fed, 'You take the brass key'],
    script: [...toYard, ...feedGull],
  },
  {
    id: 'shed',
    goal: 'Get the iron key out of the shed.',
    difficulty: 'easy',
    start: [...toYard, 'look'],
    subGoals: [fed, 'the shed door swings open', 'The shed smells of tar', 'You take the iron key'],
    script: [...feedGull, ...throughShed.filter((line) => line !== 'take oil can').slice(0, -1)],
  },
  {
    id: 'cellar',
    goal: 'Bring the lantern into the cellar and light it.',
    difficulty: 'hard',
    start: ['north', 'north', 'look'],
    subGoals: [lit, 'There is a trapdoor below it', 'You open the trapdoor', 'A vault cut into the rock'],
    script: [...lightLantern, ...fetchPrism.slice(0, 3)],
  },
  {
    id: 'prism',
    goal: 'Bring the glass prism up into the kitchen.',
    difficulty: 'hard',
    start: ['north', 'north', ...lightLantern.slice(0, 4), 'look'],
    subGoals: [lit, 'A vault cut into the rock', 'You take the glass prism', 'The kitchen of the cottage is cold'],
    script: ['light lantern', ...fetchPrism],
  },
  {
    id: 'boat',
    goal: 'Leave the island with the letter.',
    difficulty: 'easy',
    start: ['north', 'north', 'look'],
    subGoals: ['In it you see the letter', 'You take the letter', 'You row away from the island'],
    script: ['east', 'up', 'open desk', 'take letter', 'down', 'west', 'south', 'south', 'enter rowing boat'],
  },
  {
    id: 'lamp',
    goal: 'Make the great lamp shine. You have all that it needs with you.',
    difficulty: 'hard',
    start: [...toYard, ...feedGull, ...throughShed, ...lightLantern, ...fetchPrism, 'west', 'look'],
    subGoals: [inTower, 'The prism clicks into its place', 'until it is full', shines],
    script: [...intoTower.slice(1), ...lightLamp],
  },
  {
    id: 'whole',
    goal: 'Make the great lamp shine. It needs oil, and the glass prism.',
    difficulty: 'hard',
    start: [...toYard, 'look'],
    subGoals: [fed, 'the shed door swings open', lit, 'You take the glass prism', inTower, shines],
    script: [...feedGull, ...throughShed, ...lightLantern, ...fetchPrism, ...intoTower, ...lightLamp],
  },
]
