/** Actions that the scripts of our own share. */
const go = (places: readonly string[]) => ({
  'go to {place}': {
    parameters: { place: places },
    meaning: 'walk to a place',
    preconditions: [],
    effects: ['player at {place}'],
    observation: 'You walk to the {place}.',
  },
})

const carry = (things: readonly string[], holders: readonly string[]) => ({
  'take {thing} from {holder}': {
    parameters: { thing: things, holder: holders },
    meaning: 'pick up a thing',
    preconditions: ['{thing} in {holder}'],
    effects: ['player has {thing}'],
    observation: 'You take the {thing} from the {holder}.',
  },
  'put {thing} in {holder}': {
    parameters: { thing: things, holder: holders },
    meaning: 'lay down a thing that you carry',
    preconditions: ['player has {thing}', 'not {holder} is closed'],
    effects: ['{thing} in {holder}'],
    observation: 'You put the {thing} in the {holder}.',
  },
})

const open = (boxes: readonly string[]) => ({
  'open {box}': {
    parameters: { box: boxes },
    meaning: 'open a thing that is closed',
    preconditions: ['{box} is closed', 'not {box} is locked'],
    effects: ['not {box} is closed'],
    observation: 'You open the {box}.',
  },
})

/** Scripts of our own, each with its id and the persona that it was written for. */
export const ownScripts = [
  {
    id: 'breakfast',
    persona: 'A beekeeper who serves breakfast to guests.',
    script: {
      Environment: {
        kitchen: {
          'sink 1': {},
          'shelf 1': { 'mug 1': { is: ['dirty'] }, 'plate 1': {} },
          'shelf 2': { 'mug 2': {}, 'plate 2': { is: ['dirty'] } },
        },
        cellar: { 'chest 1': { is: ['closed'], 'jar 1': {} }, 'shelf 3': { 'jar 2': {}, 'bottle 1': {} } },
        terrace: { 'table 1': {}, 'bench 1': { 'cushion 1': { is: ['wet'] } } },
      },
      Start: 'kitchen',
      Goal: 'Bring a clean mug 1 and jar 1 to table 1.',
      'Completion Conditions': ['mug 1 in table 1', 'not mug 1 is dirty', 'jar 1 in table 1'],
      'Available Actions': {
        ...go(['kitchen', 'cellar', 'terrace']),
        ...carry(
          ['mug 1', 'mug 2', 'plate 1', 'plate 2', 'jar 1', 'jar 2', 'bottle 1', 'cushion 1'],
          ['sink 1', 'shelf 1', 'shelf 2', 'shelf 3', 'chest 1', 'table 1', 'bench 1'],
        ),
        ...open(['chest 1']),
        'wash {thing}': {
          parameters: { thing: ['mug 1', 'mug 2', 'plate 1', 'plate 2'] },
          meaning: 'clean a thing that you carry, beside a sink',
          preconditions: ['player has {thing}', 'player at kitchen'],
          effects: ['not {thing} is dirty'],
          observation: 'You wash the {thing}.',
        },
      },
    },
  },
  {
    id: 'birdhouse',
    persona: 'A carpenter who makes birdhouses for a park.',
    script: {
      Environment: {
        workshop: {
          bench: { birdhouse: { is: ['raw'] }, hammer: {} },
          toolbox: { is: ['closed', 'locked'], brush: {}, saw: {} },
        },
        office: { desk: { key: { is: ['toothed'] }, calendar: {} } },
        garden: { oak: {}, pond: {} },
      },
      Start: 'workshop',
      Goal: 'Paint the birdhouse green, hang it in the oak and put the hammer in the toolbox.',
      'Completion Conditions': ['birdhouse is green', 'birdhouse in oak', 'hammer in toolbox'],
      'Available Actions': {
        ...go(['workshop', 'office', 'garden']),
        ...carry(['birdhouse', 'saw', 'brush', 'hammer', 'key', 'calendar'], ['bench', 'toolbox', 'desk', 'oak']),
        ...open(['toolbox']),
        'unlock {box} with {tool}': {
          parameters: { box: ['toolbox'], tool: ['key', 'hammer'] },
          meaning: 'unlock a thing',
          preconditions: ['{box} is locked', 'player has {tool}', '{tool} is toothed'],
          effects: ['not {box} is locked'],
          observation: 'You unlock the {box} with the {tool}.',
        },
        'paint {thing} in {colour}': {
          parameters: { thing: ['birdhouse', 'bench'], colour: ['red', 'green', 'blue'] },
          meaning: 'paint a thing, with the brush in your hand',
          preconditions: ['player has brush'],
          effects: [
            'not {thing} is raw',
            'not {thing} is red',
            'not {thing} is green',
            'not {thing} is blue',
            '{thing} is {colour}',
          ],
          observation: 'You paint the {thing} {colour}.',
        },
      },
    },
  },
  {
    id: 'lighthouse',
    persona: 'A lighthouse keeper who prepares for a storm.',
    script: {
      Environment: {
        'living room': {
          stove: { is: ['lit'] },
          'drawer 1': { is: ['closed'], 'log book': {} },
          'drawer 2': { is: ['closed'], 'candle 1': {}, 'candle 2': {} },
          armchair: {},
        },
        'radio room': { radio: { is: ['3'] }, hook: { raincoat: {} } },
        'lamp room': { lamp: {}, crate: { is: ['closed'], lens: { is: ['dusty'] } } },
      },
      Start: 'living room',
      Goal: 'Light the lamp, set the radio to channel 7 and lay the log book in the armchair.',
      'Completion Conditions': ['lamp is lit', 'radio is 7', 'log book in armchair'],
      'Available Actions': {
        ...go(['living room', 'radio room', 'lamp room']),
        ...carry(
          ['log book', 'candle 1', 'candle 2', 'raincoat', 'lens'],
          ['drawer 1', 'drawer 2', 'armchair', 'hook', 'crate'],
        ),
        ...open(['drawer 1', 'drawer 2', 'crate']),
        'light {thing} with {fire}': {
          parameters: { thing: ['candle 1', 'candle 2', 'lamp'], fire: ['stove', 'candle 1', 'candle 2'] },
          meaning: 'light a thing at another that burns',
          preconditions: ['{fire} is lit', 'not {thing} is lit'],
          effects: ['{thing} is lit'],
          observation: 'You light the {thing} with the {fire}.',
        },
        'set {device} to {number}': {
          parameters: { device: ['radio'], number: [3, 5, 7] },
          meaning: 'choose the channel of a device',
          preconditions: [],
          effects: ['not {device} is 3', 'not {device} is 5', 'not {device} is 7', '{device} is {number}'],
          observation: 'You set the {device} to channel {number}.',
        },
      },
    },
  },
]
