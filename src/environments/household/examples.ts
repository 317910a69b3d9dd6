import type { Example } from '../../core/environment.js'
import { printForm, readForm } from '../../core/form.js'
import type { TaskKind } from './scenes/goal.js'
import type { Generation } from './text/domain.js'

/** Our own worked example for a kind of task. */
export function examplesOf(kind: TaskKind, generation: Generation): readonly Example[] {
  const { goal, room, exchanges } = recordedExamples[kind]
  const worded = generation === 'old' ? exchanges : exchanges.map(inNewWording)
  const opening = `Your task is to: ${goal}\nYou are in the middle of a room. Looking quickly around you, you see ${room}`
  return [
    {
      opening: [opening],
      exchanges: worded.map(([action, observation]) => ({ action, observation: [observation] })),
      names: itemNames([opening, ...worded.flat()]),
    },
  ]
}

type Exchange = RecordedExample['exchanges'][number]

/** The same exchange in the new generation's wording: `move … to …`, and an arrival that names the receptacle. */
function inNewWording([action, observation]: Exchange): Exchange {
  const arrived = readForm('go to {recep}', action)
  if (arrived !== undefined) return [action, `${printForm('You arrive at {recep}.', arrived)} ${observation}`]
  const put = readForm('put {obj} in/on {recep}', action)
  if (put === undefined) return [action, observation]
  return [printForm('move {obj} to {recep}', put), printForm('You move the {obj} to the {recep}.', put)]
}

/**
 * The items that texts of this environment mention, for callers without a game: a word and a number after an article or
 * a word of a command, as in `a mug 2`, `the desk 1`, `go to desk 1`, `clean mug 2 with sinkbasin 1`. Other numbers do
 * not count.
 */
export function itemNames(texts: readonly string[]): readonly string[] {
  const names = new Set<string>()
  for (const text of texts) {
    for (const [, name] of text.matchAll(pattern)) names.add(name!)
  }
  return [...names]
}

const pattern =
  /\b(?:an?|the|go to|take|from|put|in\/on|move|to|open|close|examine|use|heat|clean|cool|slice|with) ([a-z]+ \d+)\b/gi

/** An episode of a generated task, in the old generation's wording. */
interface RecordedExample {
  /** The id of the task. */
  readonly task: string
  readonly goal: string
  /** The list of receptacles in the first observation. */
  readonly room: string
  readonly exchanges: readonly (readonly [action: string, observation: string])[]
}

/** A short solution for a task of each kind, with the engine's observations. A test replays them all. */
export const recordedExamples: Readonly<Record<TaskKind, RecordedExample>> = {
  pick_and_place_simple: {
    task: 'train/pick_and_place_simple-KeyChain-None-Drawer-1310/trial_0374',
    goal: 'put a keychain in drawer.',
    room: 'a bed 1, a desk 2, a desk 1, a drawer 2, a drawer 1, a dresser 1, a garbagecan 1, and a safe 1.',
    exchanges: [
      ['go to dresser 1', 'On the dresser 1, you see a cd 2, a pencil 3, and a pencil 1.'],
      [
        'go to desk 2',
        'On the desk 2, you see a alarmclock 2, a alarmclock 1, a book 3, a cd 1, a desklamp 1, a keychain 1, a mug 2, a mug 1, a pen 1, and a pencil 2.',
      ],
      ['take keychain 1 from desk 2', 'You pick up the keychain 1 from the desk 2.'],
      ['go to drawer 1', 'The drawer 1 is closed.'],
      ['open drawer 1', 'You open the drawer 1. The drawer 1 is open. In it, you see nothing.'],
      ['put keychain 1 in/on drawer 1', 'You put the keychain 1 in/on the drawer 1.'],
    ],
  },
  look_at_obj_in_light: {
    task: 'train/look_at_obj_in_light-CD-None-DeskLamp-1319/trial_0151',
    goal: 'look at cd under the desklamp.',
    room: 'a bed 1, a cabinet 1, a desk 1, a drawer 2, a drawer 1, a dresser 1, a garbagecan 1, a shelf 1, a sidetable 2, and a sidetable 1.',
    exchanges: [
      [
        'go to shelf 1',
        'On the shelf 1, you see a alarmclock 1, a creditcard 1, a keychain 1, a pen 1, and a pencil 1.',
      ],
      ['go to dresser 1', 'On the dresser 1, you see a cd 1, a houseplant 1, and a pencil 2.'],
      ['take cd 1 from dresser 1', 'You pick up the cd 1 from the dresser 1.'],
      ['go to sidetable 1', 'On the sidetable 1, you see a keychain 2.'],
      ['go to sidetable 2', 'On the sidetable 2, you see a desklamp 1.'],
      ['use desklamp 1', 'You turn on the desklamp 1.'],
    ],
  },
  pick_clean_then_place_in_recep: {
    task: 'train/pick_clean_then_place_in_recep-Cloth-None-Toilet-1403/trial_0082',
    goal: 'clean some cloth and put it in toilet.',
    room: 'a bathtubbasin 1, a garbagecan 1, a handtowelholder 2, a handtowelholder 1, a sinkbasin 2, a sinkbasin 1, a toilet 1, a toiletpaperhanger 1, and a towelholder 1.',
    exchanges: [
      ['go to garbagecan 1', 'On the garbagecan 1, you see a soapbar 1, and a toiletpaper 2.'],
      ['go to bathtubbasin 1', 'On the bathtubbasin 1, you see a cloth 1.'],
      ['take cloth 1 from bathtubbasin 1', 'You pick up the cloth 1 from the bathtubbasin 1.'],
      ['go to sinkbasin 1', 'On the sinkbasin 1, you see nothing.'],
      ['clean cloth 1 with sinkbasin 1', 'You clean the cloth 1 using the sinkbasin 1.'],
      ['go to toilet 1', 'On the toilet 1, you see a candle 1, a spraybottle 3, a spraybottle 2, and a spraybottle 1.'],
      ['put cloth 1 in/on toilet 1', 'You put the cloth 1 in/on the toilet 1.'],
    ],
  },
  pick_heat_then_place_in_recep: {
    task: 'train/pick_heat_then_place_in_recep-Plate-None-Fridge-1004/trial_0160',
    goal: 'heat some plate and put it in fridge.',
    room: 'a cabinet 4, a cabinet 3, a cabinet 2, a cabinet 1, a coffeemachine 1, a countertop 2, a countertop 1, a drawer 3, a drawer 2, a drawer 1, a fridge 1, a garbagecan 1, a microwave 1, a sinkbasin 1, a stoveburner 4, a stoveburner 3, a stoveburner 2, a stoveburner 1, and a toaster 1.',
    exchanges: [
      ['go to countertop 1', 'On the countertop 1, you see a bread 1, a fork 1, and a potato 1.'],
      [
        'go to countertop 2',
        'On the countertop 2, you see a apple 2, a bread 2, a butterknife 2, a cup 3, a egg 1, a knife 1, a peppershaker 1, a plate 2, a plate 1, and a winebottle 2.',
      ],
      ['take plate 1 from countertop 2', 'You pick up the plate 1 from the countertop 2.'],
      ['go to microwave 1', 'The microwave 1 is closed.'],
      ['heat plate 1 with microwave 1', 'You heat the plate 1 using the microwave 1.'],
      ['go to fridge 1', 'The fridge 1 is closed.'],
      [
        'open fridge 1',
        'You open the fridge 1. The fridge 1 is open. In it, you see a bowl 2, a bowl 1, a cup 1, a lettuce 1, and a tomato 1.',
      ],
      ['put plate 1 in/on fridge 1', 'You put the plate 1 in/on the fridge 1.'],
    ],
  },
  pick_cool_then_place_in_recep: {
    task: 'train/pick_cool_then_place_in_recep-Tomato-None-GarbageCan-1004/trial_0022',
    goal: 'put a cool tomato in garbagecan.',
    room: 'a cabinet 4, a cabinet 3, a cabinet 2, a cabinet 1, a coffeemachine 1, a countertop 2, a countertop 1, a drawer 3, a drawer 2, a drawer 1, a fridge 1, a garbagecan 1, a microwave 1, a sinkbasin 1, a stoveburner 4, a stoveburner 3, a stoveburner 2, a stoveburner 1, and a toaster 1.',
    exchanges: [
      [
        'go to countertop 1',
        'On the countertop 1, you see a butterknife 2, a kettle 2, a lettuce 1, a spatula 1, and a tomato 2.',
      ],
      ['take tomato 2 from countertop 1', 'You pick up the tomato 2 from the countertop 1.'],
      ['go to fridge 1', 'The fridge 1 is closed.'],
      ['cool tomato 2 with fridge 1', 'You cool the tomato 2 using the fridge 1.'],
      ['go to garbagecan 1', 'On the garbagecan 1, you see a apple 2, and a soapbottle 1.'],
      ['put tomato 2 in/on garbagecan 1', 'You put the tomato 2 in/on the garbagecan 1.'],
    ],
  },
  pick_two_obj_and_place: {
    task: 'train/pick_two_obj_and_place-CD-None-Desk-1310/trial_0191',
    goal: 'put two cd in desk.',
    room: 'a bed 1, a desk 2, a desk 1, a drawer 2, a drawer 1, a dresser 1, a garbagecan 1, and a safe 1.',
    exchanges: [
      [
        'go to bed 1',
        'On the bed 1, you see a book 2, a book 1, a cellphone 1, a laptop 2, a laptop 1, a pillow 2, and a pillow 1.',
      ],
      ['go to dresser 1', 'On the dresser 1, you see a alarmclock 1, a cd 2, a cd 1, and a cellphone 2.'],
      ['take cd 1 from dresser 1', 'You pick up the cd 1 from the dresser 1.'],
      ['go to desk 1', 'On the desk 1, you see nothing.'],
      ['put cd 1 in/on desk 1', 'You put the cd 1 in/on the desk 1.'],
      ['go to dresser 1', 'On the dresser 1, you see a alarmclock 1, a cd 2, and a cellphone 2.'],
      ['take cd 2 from dresser 1', 'You pick up the cd 2 from the dresser 1.'],
      ['go to desk 1', 'On the desk 1, you see a cd 1.'],
      ['put cd 2 in/on desk 1', 'You put the cd 2 in/on the desk 1.'],
    ],
  },
}
