import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledGame } from '../../../src/environments/games/compile-game.js'
import { compileGame } from '../../../src/environments/games/compile-game.js'
import type { GameName } from '../../../src/environments/games/wording.js'

/** Small domains of the same names as AgentBoard's, with only the actions that tests need. */
export const domains: Readonly<Record<GameName, string>> = {
  gripper: `(define (domain carrying)
    (:predicates (room ?x) (ball ?x) (gripper ?x) (at-robby ?x) (at ?x ?y) (free ?x) (carry ?x ?y))
    (:action move :parameters (?a ?b) :precondition (and (room ?a) (room ?b) (at-robby ?a))
      :effect (and (not (at-robby ?a)) (at-robby ?b)))
    (:action pick :parameters (?o ?r ?g)
      :precondition (and (ball ?o) (room ?r) (gripper ?g) (at ?o ?r) (at-robby ?r) (free ?g))
      :effect (and (not (at ?o ?r)) (not (free ?g)) (carry ?o ?g)))
    (:action drop :parameters (?o ?r ?g)
      :precondition (and (ball ?o) (room ?r) (gripper ?g) (carry ?o ?g) (at-robby ?r))
      :effect (and (not (carry ?o ?g)) (free ?g) (at ?o ?r))))`,
  blockworld: `(define (domain building)
    (:predicates (clear ?x) (on-table ?x) (arm-empty) (holding ?x) (on ?x ?y))
    (:action pickup :parameters (?x) :precondition (and (arm-empty) (on-table ?x) (clear ?x))
      :effect (and (not (arm-empty)) (not (on-table ?x)) (not (clear ?x)) (holding ?x)))
    (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
      :effect (and (not (holding ?x)) (not (clear ?y)) (arm-empty) (clear ?x) (on ?x ?y))))`,
  barman: `(define (domain serving) (:types hand shot shaker)
    (:predicates (ontable ?c - (either shot shaker)) (holding ?h - hand ?c - (either shot shaker)) (handempty ?h - hand)
      (empty ?c - (either shot shaker)) (clean ?c - (either shot shaker)))
    (:action grasp :parameters (?h - hand ?c - (either shot shaker)) :precondition (and (ontable ?c) (handempty ?h))
      :effect (and (not (ontable ?c)) (not (handempty ?h)) (holding ?h ?c)))
    (:action leave :parameters (?h - hand ?c - (either shot shaker)) :precondition (holding ?h ?c)
      :effect (and (not (holding ?h ?c)) (handempty ?h) (ontable ?c)))
    (:action clean-shaker :parameters (?a ?b - hand ?s - shaker)
      :precondition (and (holding ?a ?s) (handempty ?b) (empty ?s)) :effect (clean ?s)))`,
  tyreworld: `(define (domain mending) (:types container obj)
    (:predicates (isopen ?c - container) (closed ?c - container) (unlocked ?c - container) (in ?o - obj ?c - container) (have ?o - obj))
    (:action open :parameters (?c - container) :precondition (and (closed ?c) (unlocked ?c))
      :effect (and (not (closed ?c)) (isopen ?c)))
    (:action close :parameters (?c - container) :precondition (isopen ?c) :effect (and (not (isopen ?c)) (closed ?c)))
    (:action fetch :parameters (?o - obj ?c - container) :precondition (and (in ?o ?c) (isopen ?c))
      :effect (and (not (in ?o ?c)) (have ?o))))`,
}

/** A problem for each. */
export const problems: Readonly<Record<GameName, string>> = {
  gripper: `(define (problem one) (:domain carrying) (:objects rooma roomb ball1 ball2 left right)
    (:init (room rooma) (room roomb) (ball ball1) (ball ball2) (gripper left) (gripper right) (free left) (free right)
      (at ball1 rooma) (at ball2 roomb) (at-robby rooma))
    (:goal (and (at ball1 roomb) (at ball2 roomb) (free left))))`,
  blockworld: `(define (problem one) (:domain building) (:objects b1 b2 b10)
    (:init (arm-empty) (on-table b1) (on-table b2) (on-table b10) (clear b1) (clear b2) (clear b10)) (:goal (and (on b1 b2))))`,
  barman: `(define (problem one) (:domain serving) (:objects left right - hand shot1 - shot shaker1 - shaker)
    (:init (ontable shot1) (ontable shaker1) (handempty left) (handempty right) (empty shaker1) (clean shaker1) (empty shot1))
    (:goal (and (holding left shot1) (holding right shaker1))))`,
  tyreworld: `(define (problem one) (:domain mending) (:objects boot - container wrench the-hub1 - obj)
    (:init (closed boot) (unlocked boot) (in wrench boot)) (:goal (and (have wrench) (closed boot))))`,
}

/** One of the small games in AgentBoard's wording. */
export function smallGame(game: GameName, problem = problems[game]): CompiledGame {
  const text = {
    id: `${game}/0`,
    game,
    domain: { text: domains[game], where: 'domain' },
    problem: { text: problem, where: 'problem' },
  }
  return compileGame(text)
}

/** Writes the small games in AgentBoard's layout, with the given number of problems each, and returns the folder. */
export function writeFolder(folder: string, names: readonly string[] = ['problem1', 'problem10', 'problem2']): string {
  for (const [game, domain] of Object.entries(domains)) {
    mkdirSync(join(folder, game), { recursive: true })
    writeFileSync(join(folder, `${game}.pddl`), domain)
    for (const name of names) {
      writeFileSync(
        join(folder, game, `${name}.pddl`),
        problems[game as GameName].replace('problem one', `problem ${name}`),
      )
    }
  }
  return folder
}
