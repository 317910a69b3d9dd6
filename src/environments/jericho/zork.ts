import type { StoryTask } from './tasks.js'

/** A release with goals of our own. */
interface OwnGoals {
  readonly name: string
  /** Release and serial number. */
  readonly edition: string
  readonly seed?: number
  readonly tasks: readonly StoryTask[]
}

const behind = 'You are behind the white house'
const kitchen = 'You are in the kitchen of the white house'
const livingRoom = 'You are in the living room'
const rug = 'revealing the dusty cover of a closed trap door'
const lampOn = 'The brass lantern is now on'
const intoHouse = ['north', 'east', 'open window', 'enter window', 'west']

const barrow = 'at the southern end of a narrow tunnel'
const bridge = 'a crude but sturdy wooden foot bridge'
const ford = 'at the southern edge of a great cavern'
const toFord = ['south', 'south', 'south', 'southwest']

const junction = 'You are at the junction of a north-south passage'
const crawl = 'a dark and quite creepy crawlway'
const shadow = 'You are at the eastern end of a dark, featureless landscape'

/**
 * The Zork trilogy in the releases that are under the MIT licence; whoever has the files can play them. Goals and
 * sub-goals are shaketable's own; the phrases are from the published sources of the same releases.
 */
export const zorks: readonly OwnGoals[] = [
  {
    name: 'zork-1',
    edition: '119.880429',
    seed: 12,
    tasks: [
      {
        id: 'zork-1/leaflet',
        goal: 'Read the leaflet that is in the mailbox.',
        difficulty: 'easy',
        start: [],
        subGoals: ['Opening the small mailbox reveals a leaflet', 'WELCOME TO ZORK'],
        script: ['open mailbox', 'read leaflet'],
      },
      {
        id: 'zork-1/house',
        goal: 'Find a way into the white house, and get to its living room.',
        difficulty: 'easy',
        start: [],
        subGoals: [behind, 'far enough to allow entry', kitchen, livingRoom],
        script: intoHouse,
      },
      {
        id: 'zork-1/lantern',
        goal: 'Get the brass lantern that is in the white house, and turn it on.',
        difficulty: 'easy',
        start: [],
        subGoals: [behind, kitchen, livingRoom, lampOn],
        script: [...intoHouse, 'take lamp', 'turn on lamp'],
      },
      {
        id: 'zork-1/cellar',
        goal: 'Find the way into the cellar of the white house, and have a light there.',
        difficulty: 'hard',
        start: [],
        subGoals: [
          kitchen,
          livingRoom,
          rug,
          'to reveal a rickety staircase',
          lampOn,
          'You are in a dark and damp cellar',
        ],
        script: [...intoHouse, 'take lamp', 'move rug', 'open trap door', 'turn on lamp', 'down'],
      },
    ],
  },
  {
    name: 'zork-2',
    edition: '63.860811',
    tasks: [
      {
        id: 'zork-2/ford',
        goal: 'Cross the foot bridge and the great cavern, and get to the shallow ford.',
        difficulty: 'easy',
        start: [],
        subGoals: [barrow, bridge, 'This is the center of the great cavern', ford],
        script: toFord,
      },
      {
        id: 'zork-2/garden',
        goal: 'Find the formal garden, and enter the gazebo in it.',
        difficulty: 'hard',
        start: [],
        subGoals: [bridge, ford, 'This is a dark tunnel', 'the northern end of a formal garden', 'This is a gazebo'],
        script: ['take lamp', 'turn on lamp', ...toFord, 'south', 'southeast', 'in'],
      },
    ],
  },
  {
    name: 'zork-3',
    edition: '25.860811',
    tasks: [
      {
        id: 'zork-3/crawl',
        goal: 'Take the lamp, and follow the trail south to the creepy crawl.',
        difficulty: 'easy',
        start: [],
        subGoals: ['Taken', junction, crawl],
        script: ['take lamp', 'turn on lamp', 'south', 'south'],
      },
      {
        id: 'zork-3/shadow',
        goal: 'Find the Land of Shadow, and go on to the shore of the Flathead Ocean.',
        difficulty: 'hard',
        start: [],
        subGoals: [junction, crawl, shadow, 'Flathead Ocean'],
        script: ['take lamp', 'turn on lamp', 'south', 'south', 'southwest', 'west', 'west', 'west'],
      },
    ],
  },
]
