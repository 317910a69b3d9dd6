import type { Rule } from './deed.js'
import type { Telling } from './facts.js'

/** How the bar is told. Of a hand that holds something, only the hand is named. */
export const barTellings: readonly Telling[] = [
  ['used', 'pour X from a shot glass to a used shaker Y', 'container', 'beverage'],
  ['next', 'level X is next to level Y', 'level', 'level'],
  ['shaker-empty-level', 'X is at empty level Y', 'shaker', 'level'],
  ['shaker-level', 'X is at level Y', 'shaker', 'level'],
  ['part1', 'X part1 ingredient is Y', 'cocktail', 'ingredient'],
  ['part2', 'X part2 ingredient is Y', 'cocktail', 'ingredient'],
  ['dispenses', 'X dispenses Y', 'dispenser', 'ingredient'],
  ['contains', 'X contains Y', 'container', 'beverage'],
  ['ontable', 'X is on the table', 'container'],
  ['clean', 'X is clean', 'container'],
  ['handempty', 'X hand is empty', 'hand'],
  ['empty', 'X is empty', 'container'],
  ['unshaked', 'X is unshaked', 'shaker'],
  ['shaked', 'X is shaked', 'shaker'],
  ['handempty', 'handempty X', 'hand'],
  ['holding', 'you are holding X', 'hand'],
]

/** What can be done at the bar. */
export const barRules: Readonly<Record<string, Rule>> = {
  grasp: {
    roles: 'hand container',
    needs: 'handempty hand, ontable container',
    adds: 'holding hand container',
    ends: 'handempty hand, ontable container',
    words: 'grasp grab take pick lift get hold',
  },
  leave: {
    roles: 'hand container',
    needs: 'holding hand container',
    adds: 'handempty hand, ontable container',
    ends: 'holding hand container',
    words: 'leave put place down lay set drop return release',
  },
  'fill-shot': {
    roles: 'shot ingredient hand other:hand dispenser',
    needs: 'holding hand shot, empty shot, clean shot, handempty other, dispenses dispenser ingredient',
    adds: 'used shot ingredient, contains shot ingredient',
    ends: 'clean shot, empty shot',
    words: 'fill load clean',
  },
  'refill-shot': {
    roles: 'shot ingredient hand other:hand dispenser',
    needs: 'holding hand shot, empty shot, used shot ingredient, handempty other, dispenses dispenser ingredient',
    adds: 'contains shot ingredient',
    ends: 'empty shot',
    words: 'refill again without before',
  },
  'empty-shot': {
    roles: 'hand shot beverage',
    needs: 'holding hand shot, contains shot beverage',
    adds: 'empty shot',
    ends: 'contains shot beverage',
    words: 'empty away discard spill',
  },
  'clean-shot': {
    roles: 'shot beverage hand other:hand',
    needs: 'holding hand shot, empty shot, used shot beverage, handempty other',
    adds: 'clean shot',
    ends: 'used shot beverage',
    words: 'clean wash wipe',
  },
  'pour-shot-to-clean-shaker': {
    roles: 'shot ingredient shaker hand level next:level',
    needs:
      'holding hand shot, contains shot ingredient, clean shaker, empty shaker, shaker-level shaker level, next level next',
    adds: 'empty shot, contains shaker ingredient, unshaked shaker, shaker-level shaker next',
    ends: 'contains shot ingredient, clean shaker, empty shaker, shaker-level shaker level',
    words: 'pour clean empty rise',
  },
  'pour-shot-to-used-shaker': {
    roles: 'shot ingredient shaker hand level next:level',
    needs: 'holding hand shot, contains shot ingredient, unshaked shaker, shaker-level shaker level, next level next',
    adds: 'empty shot, contains shaker ingredient, shaker-level shaker next',
    ends: 'contains shot ingredient, shaker-level shaker level',
    words: 'pour used unshaked rise',
  },
  'empty-shaker': {
    roles: 'hand shaker cocktail level empty:level',
    needs:
      'holding hand shaker, shaked shaker, contains shaker cocktail, shaker-level shaker level, shaker-empty-level shaker empty',
    adds: 'empty shaker, shaker-level shaker empty',
    ends: 'contains shaker cocktail, shaked shaker, shaker-level shaker level',
    words: 'empty away discard spill',
  },
  'clean-shaker': {
    roles: 'hand other:hand shaker',
    needs: 'holding hand shaker, empty shaker, handempty other',
    adds: 'clean shaker',
    ends: '',
    words: 'clean wash wipe',
  },
  shake: {
    roles: 'cocktail first:ingredient second:ingredient shaker hand other:hand',
    needs:
      'part1 cocktail first, part2 cocktail second, holding hand shaker, unshaked shaker, contains shaker first, contains shaker second, handempty other',
    adds: 'contains shaker cocktail, shaked shaker',
    ends: 'contains shaker first, contains shaker second, unshaked shaker',
    words: 'shake mix both',
  },
  'pour-shaker-to-shot': {
    roles: 'beverage shot hand shaker level next:level',
    needs:
      'holding hand shaker, shaked shaker, contains shaker beverage, clean shot, empty shot, shaker-level shaker level, next next level',
    adds: 'contains shot beverage, shaker-level shaker next',
    ends: 'clean shot, empty shot, shaker-level shaker level',
    words: 'pour from fall into drink',
  },
}
