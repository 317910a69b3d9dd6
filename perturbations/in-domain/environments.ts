import type { FilteredEnvironment } from '../../src/define.js'

/** An evaluation environment, and the signs of rows that were collected in it. */
export interface InDomainEnvironment extends FilteredEnvironment {
  /** Words that name it anywhere in an id, a split or a label. */
  readonly anywhere: readonly string[]
  /** Words that name it only at the start of an id, or as the name of a file. */
  readonly first: readonly string[]
  /** Phrases of which one is sufficient. `#` is any number; letter case, punctuation and line breaks are ignored. */
  readonly sure: readonly string[]
  /** Phrases of which several different ones are needed. */
  readonly telling: readonly string[]
}

const rooms = [
  'art studio',
  'bathroom',
  'bedroom',
  'foundry',
  'green house',
  'greenhouse',
  'hallway',
  'kitchen',
  'living room',
  'outside',
  'workshop',
]
const colours = ['red', 'green', 'blue', 'purple', 'yellow', 'grey']

/** ALFWorld joins the words of its items, as no other text does: `sinkbasin 1`. */
const joined = [
  'alarmclock',
  'bathtubbasin',
  'butterknife',
  'coffeemachine',
  'creditcard',
  'dishsponge',
  'floorlamp',
  'garbagecan',
  'glassbottle',
  'handtowelholder',
  'laundryhamper',
  'peppershaker',
  'remotecontrol',
  'saltshaker',
  'sinkbasin',
  'soapbar',
  'soapbottle',
  'spraybottle',
  'stoveburner',
  'tissuebox',
  'toiletpaperhanger',
  'towelholder',
  'tvstand',
  'wateringcan',
  'winebottle',
]
/** These are also English words or names of other things, so they count only with a number after them. */
const numbered = ['cellphone', 'coffeetable', 'countertop', 'desklamp', 'diningtable', 'keychain', 'sidetable']

/**
 * The environments of AgentRefine's evaluation. The phrases are those that the environments print and those that
 * AgentGym (AgentEnv), ETO, AgentInstruct and AgentBoard put before their conversations.
 */
export const inDomainEnvironments: readonly InDomainEnvironment[] = [
  {
    name: 'alfworld',
    also: ['household'],
    anywhere: ['alfworld'],
    first: ['household'],
    sure: [
      'interact with a household to solve a task',
      'interact with a virtual household simulator',
      'in the middle of a room looking quickly around you',
    ],
    telling: [...joined, ...joined.map((name) => `${name} #`), ...numbered.map((name) => `${name} #`)],
  },
  {
    name: 'babyai',
    also: [],
    anywhere: ['babyai'],
    first: [],
    sure: [
      'exploration master that wants to finish every goal',
      'in front of you in this room you can see several objects',
      'toggle and go through',
      'the room has walls around you you are facing',
    ],
    telling: [
      'right in front of you # steps away',
      '# steps in front of you and # steps to your left',
      '# steps in front of you and # steps to your right',
      ...colours.flatMap((colour) =>
        ['ball', 'box', 'key', 'closed door', 'locked door'].map((it) => `${colour} ${it} #`),
      ),
    ],
  },
  {
    name: 'scienceworld',
    also: ['sciworld'],
    anywhere: ['scienceworld', 'sciworld'],
    first: [],
    sure: [
      'you are an agent for science world',
      'do some scientific experiment in an environment',
      'agent in a virtual science school environment',
      ...rooms.map((room) => `this room is called the ${room} in it you see`),
      'this outside location is called the outside here you see',
    ],
    telling: [
      ...rooms.map((room) => `a door to the ${room} that is`),
      ...['air', 'water', 'soap', 'sodium chloride', 'orange juice', 'dirt'].map((it) => `a substance called ${it}`),
      'self watering flower pot',
      'currently reading a temperature of',
      'which is deactivated',
      'no known action matches that input',
      'you focus on the',
    ],
  },
  {
    name: 'pddl',
    also: [],
    anywhere: [],
    first: ['pddl', 'barman', 'blockworld', 'gripper', 'tyreworld'],
    sure: [
      'goal is to satisfy the following conditions b #',
      'goal is to satisfy the following conditions ball #',
      'goal is to satisfy the following conditions shot #',
      'you are a robot barman that manipulates drink dispensers',
      'the robot has four actions pickup putdown stack and unstack',
      'you are a robot with a gripper that can move objects between different rooms',
      'your goal is to replace flat tyres with intact tyres on the hubs',
      'cocktail # part # ingredient is ingredient #',
    ],
    telling: [
      'robot arm is empty',
      'b # is on b #',
      'b # is on the table',
      'the b # is clear',
      'ball # is a ball',
      'ball # is at rooma',
      'ball # is at roomb',
      'left is a gripper',
      'robby is at',
      'dispenser # dispenses ingredient #',
      'shaker # is at level l #',
      'shot # contains ingredient #',
      'hub # is fastened',
      'nut nuts # on the hub',
    ],
  },
  {
    name: 'jericho',
    also: [],
    anywhere: [],
    first: ['jericho'],
    sure: ['you are in a fictional game environment and you need to accomplish goals by performing actions'],
    telling: [],
  },
]
