import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../../src/environments/household/engine/engine.js'
import { compileGame } from '../../../../src/environments/household/engine/engine.js'
import type { Generation } from '../../../../src/environments/household/text/domain.js'
import { domainText, generations } from '../../../../src/environments/household/text/domain.js'

/**
 * A kitchen that soon reaches every text. The two burners share a place; the pan lies across both.
 */
const problem = `(define (problem small) (:domain alfred)
  (:objects agent1 - agent
    AppleType KnifeType PanType PlateType DeskLampType SinkType - otype
    StoveBurnerType CabinetType FridgeType MicrowaveType SinkBasinType - rtype
    Apple_bar_1 Knife_bar_1 Pan_bar_1 Plate_bar_1 Fork_bar_1 DeskLamp_bar_1 - object
    StoveBurner_bar_1 StoveBurner_bar_2 Cabinet_bar_1 Fridge_bar_1 Microwave_bar_1 Sink_bar_1_bar_SinkBasin - receptacle
    loc_bar_1 loc_bar_2 loc_bar_3 loc_bar_4 loc_bar_5 loc_bar_6 - location)
  (:init (atLocation agent1 loc_bar_6)
    (receptacleAtLocation StoveBurner_bar_1 loc_bar_1) (receptacleType StoveBurner_bar_1 StoveBurnerType)
    (receptacleAtLocation StoveBurner_bar_2 loc_bar_1) (receptacleType StoveBurner_bar_2 StoveBurnerType)
    (receptacleAtLocation Cabinet_bar_1 loc_bar_2) (receptacleType Cabinet_bar_1 CabinetType) (openable Cabinet_bar_1)
    (receptacleAtLocation Fridge_bar_1 loc_bar_3) (receptacleType Fridge_bar_1 FridgeType) (openable Fridge_bar_1)
    (receptacleAtLocation Microwave_bar_1 loc_bar_4) (receptacleType Microwave_bar_1 MicrowaveType) (openable Microwave_bar_1)
    (receptacleAtLocation Sink_bar_1_bar_SinkBasin loc_bar_5) (receptacleType Sink_bar_1_bar_SinkBasin SinkBasinType)
    (objectType Apple_bar_1 AppleType) (pickupable Apple_bar_1) (cleanable Apple_bar_1) (heatable Apple_bar_1)
    (coolable Apple_bar_1) (sliceable Apple_bar_1) (inReceptacle Apple_bar_1 Sink_bar_1_bar_SinkBasin) (objectAtLocation Apple_bar_1 loc_bar_5)
    (objectType Knife_bar_1 KnifeType) (pickupable Knife_bar_1) (cleanable Knife_bar_1)
    (inReceptacle Knife_bar_1 Cabinet_bar_1) (objectAtLocation Knife_bar_1 loc_bar_2)
    (objectType Pan_bar_1 PanType) (pickupable Pan_bar_1) (isReceptacleObject Pan_bar_1)
    (inReceptacle Pan_bar_1 StoveBurner_bar_1) (inReceptacle Pan_bar_1 StoveBurner_bar_2) (objectAtLocation Pan_bar_1 loc_bar_1)
    (objectType Plate_bar_1 PlateType) (pickupable Plate_bar_1) (isReceptacleObject Plate_bar_1)
    (inReceptacle Plate_bar_1 Cabinet_bar_1) (objectAtLocation Plate_bar_1 loc_bar_2)
    (inReceptacleObject Knife_bar_1 Plate_bar_1)
    (objectType DeskLamp_bar_1 DeskLampType) (toggleable DeskLamp_bar_1) (inReceptacle DeskLamp_bar_1 Cabinet_bar_1) (objectAtLocation DeskLamp_bar_1 loc_bar_2)
    (canContain StoveBurnerType PanType) (canContain SinkBasinType KnifeType) (canContain SinkBasinType AppleType) (canContain CabinetType PlateType))
  (:goal (exists (?r - receptacle) (exists (?o - object)
    (and (objectType ?o AppleType) (receptacleType ?r CabinetType) (inReceptacle ?o ?r))))))`

function start(generation: Generation): Engine {
  return compileGame(source(generation, problem), 'small').start()
}

const source = (generation: Generation, pddlProblem: string) => {
  return { pddlDomain: domainText(generation), pddlProblem, generation, goalSentence: 'put a apple in cabinet.' }
}

/** Commands of the new generation in the wording of another. */
const inWordingOf = (generation: Generation, command: string): string =>
  generation === 'new' ? command : command.replace(/^move (.*) to (.*)$/, 'put $1 in/on $2')

const script: readonly (readonly [command: string, fresh: string, old?: string])[] = [
  ['look', 'You are in the middle of a room. Looking quickly around you, you see nothing.'],
  ['inventory', 'You are not carrying anything.'],
  [
    'go to stoveburner 1',
    'You arrive at stoveburner 1. On the stoveburner 1, you see a pan 1.',
    'You arrive at loc 6. On the stoveburner 1, you see a pan 1.',
  ],
  ['go to stoveburner 2', 'Nothing happens.'],
  ['examine stoveburner 2', 'On the stoveburner 2, you see a pan 1.'],
  ['examine pan 1', 'Nothing happens.'],
  ['look', 'You are facing the stoveburner 2, and stoveburner 1. Next to it, you see nothing.'],
  ['take pan 1 from stoveburner 1', 'You pick up the pan 1 from the stoveburner 1.'],
  ['examine stoveburner 2', 'On the stoveburner 2, you see a pan 1.'],
  ['examine pan 1', 'This is a normal pan 1. In it, you see nothing.'],
  ['inventory', 'You are carrying: a pan 1.'],
  [
    'move pan 1 to stoveburner 2',
    'You move the pan 1 to the stoveburner 2.',
    'You put the pan 1 in/on the stoveburner 2.',
  ],
  ['look', 'You are facing the stoveburner 2, and stoveburner 1. Next to it, you see a pan 1.'],
  [
    'go to cabinet 1',
    'You arrive at cabinet 1. The cabinet 1 is closed.',
    'You arrive at loc 5. The cabinet 1 is closed.',
  ],
  ['take knife 1 from cabinet 1', 'Nothing happens.'],
  ['use desklamp 1', 'You turn on the desklamp 1.'],
  ['use desklamp 1', 'You turn on the desklamp 1.'],
  [
    'open cabinet 1',
    'You open the cabinet 1. The cabinet 1 is open. In it, you see a desklamp 1, a knife 1, and a plate 1.',
  ],
  ['open cabinet 1', 'Nothing happens.'],
  ['close cabinet 1', 'You close the cabinet 1.'],
  [
    'open cabinet 1',
    'You open the cabinet 1. The cabinet 1 is open. In it, you see a desklamp 1, a knife 1, and a plate 1.',
  ],
  ['take plate 1 from cabinet 1', 'You pick up the plate 1 from the cabinet 1.'],
  ['examine plate 1', 'This is a normal plate 1. In it, you see a knife 1.'],
  ['move plate 1 to cabinet 1', 'You move the plate 1 to the cabinet 1.', 'You put the plate 1 in/on the cabinet 1.'],
  ['take knife 1 from cabinet 1', 'You pick up the knife 1 from the cabinet 1.'],
  ['examine cabinet 1', 'The cabinet 1 is open. In it, you see a desklamp 1, and a plate 1.'],
  ['move knife 1 to cabinet 1', 'Nothing happens.'],
  ['examine knife 1', "There's nothing special about knife 1."],
  [
    'go to sinkbasin 1',
    'You arrive at sinkbasin 1. On the sinkbasin 1, you see a apple 1.',
    'You arrive at loc 2. On the sinkbasin 1, you see a apple 1.',
  ],
  ['clean knife 1 with sinkbasin 1', 'You clean the knife 1 using the sinkbasin 1.'],
  ['examine knife 1', 'This is a clean knife 1.'],
  ['slice apple 1 with knife 1', 'You sliced the apple 1 with the knife 1.'],
  ['heat knife 1 with sinkbasin 1', 'Nothing happens.'],
  [
    'move knife 1 to sinkbasin 1',
    'You move the knife 1 to the sinkbasin 1.',
    'You put the knife 1 in/on the sinkbasin 1.',
  ],
  ['take apple 1 from sinkbasin 1', 'You pick up the apple 1 from the sinkbasin 1.'],
  ['examine apple 1', 'This is a sliced apple 1.'],
  ['go to fridge 1', 'You arrive at fridge 1. The fridge 1 is closed.', 'You arrive at loc 4. The fridge 1 is closed.'],
  ['cool apple 1 with fridge 1', 'You cool the apple 1 using the fridge 1.'],
  ['examine apple 1', 'This is a cool sliced apple 1.'],
  [
    'go to microwave 1',
    'You arrive at microwave 1. The microwave 1 is closed.',
    'You arrive at loc 3. The microwave 1 is closed.',
  ],
  ['heat apple 1 with microwave 1', 'You heat the apple 1 using the microwave 1.'],
  ['examine apple 1', 'This is a hot sliced apple 1.'],
  [
    'go to sinkbasin 1',
    'You arrive at sinkbasin 1. On the sinkbasin 1, you see a knife 1.',
    'You arrive at loc 2. On the sinkbasin 1, you see a knife 1.',
  ],
  ['clean apple 1 with sinkbasin 1', 'You clean the apple 1 using the sinkbasin 1.'],
  ['examine apple 1', 'This is a hot and clean sliced apple 1.'],
  ['Look', 'Nothing happens.'],
  ['  look ', 'You are facing the sinkbasin 1. Next to it, you see nothing.'],
]

/** States that `examine` describes without a slice, set in the problem itself. */
const states: readonly (readonly [facts: readonly string[], told: string])[] = [
  [['isClean', 'isHot'], 'This is a hot and clean apple 1.'],
  [['isClean', 'isCool'], 'This is a cool and clean apple 1.'],
  [['isClean', 'isCool', 'isSliced'], 'This is a cool and clean sliced apple 1.'],
  [['isClean', 'isSliced'], 'This is a clean sliced apple 1.'],
  [['isHot'], 'This is a hot apple 1.'],
  [['isCool'], 'This is a cold apple 1.'],
  [['toggleable', 'isToggled'], 'This apple 1 is on.'],
  [[], "There's nothing special about apple 1."],
]

describe.each(generations)('our own household texts, %s', (generation) => {
  it('answer and refuse like ALFWorld’s', () => {
    const engine = start(generation)
    expect(engine.opening).toBe(
      '-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see a cabinet 1, a fridge 1, a microwave 1, a sinkbasin 1, a stoveburner 2, and a stoveburner 1.\n\nYour task is to: put a apple in cabinet.',
    )
    for (const [command, fresh, old] of script) {
      const { observation } = engine.step(inWordingOf(generation, command))
      expect({ command, observation }).toEqual({ command, observation: generation === 'old' ? (old ?? fresh) : fresh })
    }
    expect(engine.won).toBe(false)
  })

  it.each(states)('describe an apple that is %j', (facts, told) => {
    const added = facts.map((fact) => `(${fact} Apple_bar_1)`).join(' ')
    const engine = compileGame(source(generation, problem.replace('(:init', `(:init ${added}`)), 'small').start()
    engine.step('go to sinkbasin 1')
    engine.step('take apple 1 from sinkbasin 1')
    expect(engine.step('examine apple 1').observation).toBe(told)
  })

  it('have help in the new generation only', () => {
    const engine = start(generation)
    const { accepted, observation } = engine.step('help')
    expect(accepted).toBe(generation === 'new')
    expect(engine.admissible().includes('help')).toBe(generation === 'new')
    if (accepted) {
      expect(observation).toMatch(/^Available commands:\n {2}look: {29}look around your current location\n/)
      expect(observation).toMatch(/\n {2}slice \(object\) with \(object\): {5}slice an object using a sharp object\n$/)
    }
  })

  it('have a domain in the syntax of the original parser', () => {
    const domain = domainText(generation).replace(/;.*/g, '')
    expect(domain.split('(').length).toBe(domain.split(')').length)
    expect(domain).toMatch(/^[\x20-\x7e\n]*$/)
    expect(/"/.test(domain)).toBe(false)
  })
})
