import { describe, expect, it } from 'vitest'
import { compileGame } from '../../../../src/environments/household/engine/engine.js'
import { domainText, generations } from '../../../../src/environments/household/text/domain.js'

/** An apple in a sink, in the given states. */
const problem = (states: readonly string[]): string => `(define (problem small) (:domain alfred)
  (:objects agent1 - agent AppleType - otype SinkBasinType - rtype Apple_bar_1 - object
    Sink_bar_1_bar_SinkBasin - receptacle loc_bar_1 loc_bar_2 - location)
  (:init (atLocation agent1 loc_bar_2)
    (receptacleAtLocation Sink_bar_1_bar_SinkBasin loc_bar_1) (receptacleType Sink_bar_1_bar_SinkBasin SinkBasinType)
    (objectType Apple_bar_1 AppleType) (pickupable Apple_bar_1) (inReceptacle Apple_bar_1 Sink_bar_1_bar_SinkBasin)
    (objectAtLocation Apple_bar_1 loc_bar_1) ${states.map((state) => `(${state} Apple_bar_1)`).join(' ')})
  (:goal (exists (?o - object) (isHot ?o))))`

// All other texts equal the recordings of generated games.
describe.each(generations)('our own household texts, %s', (generation) => {
  it.each([
    [['isClean', 'isHot'], 'This is a hot and clean apple 1.'],
    [['isClean', 'isCool'], 'This is a cool and clean apple 1.'],
    [['isClean', 'isCool', 'isSliced'], 'This is a cool and clean sliced apple 1.'],
    [['isClean', 'isHot', 'isSliced'], 'This is a hot and clean sliced apple 1.'],
    [['isHot', 'isSliced'], 'This is a hot sliced apple 1.'],
    [['isCool', 'isSliced'], 'This is a cool sliced apple 1.'],
    [['isClean', 'isSliced'], 'This is a clean sliced apple 1.'],
    [['isHot'], 'This is a hot apple 1.'],
    [['isCool'], 'This is a cold apple 1.'],
    [['toggleable', 'isToggled'], 'This apple 1 is on.'],
    [[], "There's nothing special about apple 1."],
  ])('describe an apple that is %j', (states, told) => {
    const source = { pddlDomain: domainText(generation), pddlProblem: problem(states), generation }
    const engine = compileGame({ ...source, goalSentence: 'heat it.' }, 'small').start()
    const commands = ['go to sinkbasin 1', 'take apple 1 from sinkbasin 1', 'examine apple 1']
    expect(commands.map((command) => engine.step(command).observation).at(-1)).toBe(told)
  })

  it('have a domain in the syntax of the original parser', () => {
    const domain = domainText(generation).replace(/;.*/g, '')
    expect(domain.split('(').length).toBe(domain.split(')').length)
    expect(domain).toMatch(/^[\x20-\x7e\n]*$/)
    expect(/"/.test(domain)).toBe(false)
  })
})
