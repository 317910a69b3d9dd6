/**
 * Groups of English synonyms for the beginning of an action, written without looking at the perturbations and
 * environments of this package.
 */
export const verbs: readonly (readonly string[])[] = [
  words(
    'go to, walk to, head to, travel to, proceed to, step to, run to, move to, stroll to, navigate to, march to, drive to, ' +
      'go over to, head over to, walk over to, make for, make your way to, approach, visit, reach',
  ),
  words('go through, walk through, pass through, cross, step through, head through, traverse'),
  words('toggle and go through, unlock and go through, open and pass, open and walk through, work and cross'),
  words('take, grab, get, fetch, collect, seize, obtain, retrieve, acquire, pull, snatch, claim'),
  words('pick up, pickup, pick, lift, raise, gather, hoist, scoop, catch'),
  words('put, place, lay, set, deposit, leave, insert, rest, position, store, bring, park, move'),
  words('drop, free, release, unhand, shed, discard, ditch'),
  words('putdown, ground, lower, land, settle'),
  words('open, unseal, unclose, pull open, swing open, crack open, unlatch, unlock'),
  words('close, shut, seal, push shut, swing shut, lock, fasten'),
  words('clean, wash, rinse, scrub, cleanse, purify, wipe, bathe, polish'),
  words('heat, warm, cook, bake, toast, roast, warm up, heat up'),
  words('cool, chill, refrigerate, freeze, ice, cool down, cool off'),
  words('use, switch on, turn on, activate, operate, light, power on, employ, start, toggle'),
  words('use hand'),
  words('examine, inspect, study, check out, view, observe, survey, consider, scan'),
  words('slice, cut, carve, chop, split, cleave, section'),
  words('turn, rotate, spin, swivel, pivot, veer, face'),
  words('move forward, step forward, walk ahead, advance, go ahead, go straight on, proceed'),
  words('move, go, walk, travel, pass, proceed, ride, roll'),
  words('stack, pile, heap, place, set, mount, balance'),
  words('unstack, unpile, unload, remove, dismount, strip'),
  words('fill, load, top, charge, stock'),
  words('refill, reload, replenish, restock'),
  words('pour, tip, decant, transfer, stream'),
  words('shake, mix, blend, stir, agitate'),
  words('empty, drain, void, clear, exhaust'),
  words('grasp, grip, hold, clutch, clasp'),
  words('leave, release, abandon, deposit, quit'),
  words('loosen, slacken, ease, relax, unscrew'),
  words('tighten, tense, screw, firm, secure'),
  words('undo, unfasten, detach, unbind, untie'),
  words('do-up, fasten, attach, bind, tie'),
  words('jack-up, uplift, raise, hoist, elevate'),
  words('jack-down, lower, drop, descend, sink'),
  words('inflate, pump, bloat, air, puff'),
]

/** Groups of synonyms for the words between the items of an action. */
export const prepositions: readonly (readonly string[])[] = [
  words('from, off, out of, away from, from within, from inside, from atop'),
  words('in/on, in, on, into, onto, inside, at, upon, within, over at'),
  words('with, using, by, via, by means of, through, by way of, with the help of'),
  words('to, onto, toward, over to, up to, towards, unto'),
  words('on, upon, onto, atop, on top of, over'),
  words('at, in, inside, within, around'),
  words('in, into, inside, within'),
]

function words(list: string): readonly string[] {
  return list.split(', ')
}
