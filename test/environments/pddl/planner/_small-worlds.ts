import { parseDomain } from '../../../../src/environments/pddl/domain.js'
import { parseProblem } from '../../../../src/environments/pddl/problem.js'
import type { Task } from '../../../../src/environments/pddl/task.js'
import { compileTask } from '../../../../src/environments/pddl/task.js'

/** Small domains that together use all supported PDDL features, each with a start. */
export const smallWorlds = {
  gripper: {
    domain: `(:requirements :strips) (:predicates (room ?r) (ball ?b) (hand ?h) (here ?r) (at ?b ?r) (free ?h) (in ?b ?h))
      (:action walk :parameters (?x ?y) :precondition (and (room ?x) (room ?y) (here ?x)) :effect (and (here ?y) (not (here ?x))))
      (:action take :parameters (?b ?r ?h) :precondition (and (ball ?b) (at ?b ?r) (here ?r) (hand ?h) (free ?h))
        :effect (and (in ?b ?h) (not (at ?b ?r)) (not (free ?h))))
      (:action put :parameters (?b ?r ?h) :precondition (and (in ?b ?h) (here ?r) (room ?r))
        :effect (and (at ?b ?r) (free ?h) (not (in ?b ?h))))`,
    objects: 'r1 r2 b1 b2 b3 b4 h1 h2',
    init: '(room r1) (room r2) (ball b1) (ball b2) (ball b3) (ball b4) (hand h1) (hand h2) (free h1) (free h2) (here r1) (at b1 r1) (at b2 r1) (at b3 r1) (at b4 r2)',
  },
  blocks: {
    domain: `(:requirements :adl) (:constants table) (:predicates (block ?b) (on ?b ?x))
      (:action move :parameters (?b ?from ?to)
        :precondition (and (block ?b) (on ?b ?from) (not (= ?b ?to)) (not (= ?from ?to))
          (not (exists (?c) (on ?c ?b))) (or (= ?to table) (and (block ?to) (forall (?c) (not (on ?c ?to))))))
        :effect (and (on ?b ?to) (not (on ?b ?from))))`,
    objects: 'a b c d',
    init: '(block a) (block b) (block c) (block d) (on a table) (on b a) (on c b) (on d table)',
  },
  hanoi: {
    domain: `(:requirements :typing :equality) (:types disc peg - place) (:predicates (on ?d - disc ?p - place) (clear ?p - place) (fits ?d - disc ?p - place))
      (:action move :parameters (?d - disc ?from ?to - (either disc peg))
        :precondition (and (on ?d ?from) (clear ?d) (clear ?to) (fits ?d ?to) (not (= ?from ?to)))
        :effect (and (on ?d ?to) (clear ?from) (not (on ?d ?from)) (not (clear ?to))))`,
    objects: 'd1 d2 d3 d4 - disc p1 p2 p3 - peg',
    init: `(on d1 d2) (on d2 d3) (on d3 d4) (on d4 p1) (clear d1) (clear p2) (clear p3)
      (fits d1 d2) (fits d1 d3) (fits d1 d4) (fits d2 d3) (fits d2 d4) (fits d3 d4)
      ${['d1', 'd2', 'd3', 'd4'].flatMap((disc) => ['p1', 'p2', 'p3'].map((peg) => `(fits ${disc} ${peg})`)).join(' ')}`,
  },
  lift: {
    domain: `(:requirements :adl) (:types floor person) (:predicates (above ?f ?g - floor) (at ?f - floor) (from ?p - person ?f - floor)
        (to ?p - person ?f - floor) (boarded ?p - person) (served ?p - person) (shy ?p - person))
      (:action stop :parameters (?f - floor) :precondition (at ?f)
        :effect (and
          (forall (?p - person) (when (and (from ?p ?f) (not (served ?p))) (boarded ?p)))
          (forall (?p - person) (when (and (boarded ?p) (to ?p ?f)) (and (served ?p) (not (boarded ?p)))))))
      (:action ride :parameters (?f ?g - floor)
        :precondition (and (at ?f) (or (above ?f ?g) (above ?g ?f))
          (imply (exists (?p - person) (and (shy ?p) (boarded ?p))) (forall (?p - person) (imply (boarded ?p) (shy ?p)))))
        :effect (and (at ?g) (not (at ?f))))`,
    objects: 'f1 f2 f3 f4 - floor p1 p2 p3 p4 - person',
    init: '(above f2 f1) (above f3 f2) (above f4 f3) (at f1) (from p1 f2) (from p2 f3) (from p3 f4) (from p4 f4) (to p1 f4) (to p2 f1) (to p3 f1) (to p4 f1) (shy p2)',
  },
  briefcase: {
    domain: `(:requirements :typing :conditional-effects :negative-preconditions) (:types place thing)
      (:predicates (is ?p - place) (at ?t - thing ?p - place) (inside ?t - thing))
      (:action carry :parameters (?from ?to - place) :precondition (and (is ?from) (not (is ?to)))
        :effect (and (is ?to) (not (is ?from)) (forall (?t - thing) (when (inside ?t) (and (at ?t ?to) (not (at ?t ?from)))))))
      (:action pack :parameters (?t - thing ?p - place) :precondition (and (at ?t ?p) (is ?p) (not (inside ?t))) :effect (inside ?t))
      (:action unpack :parameters (?t - thing) :precondition (inside ?t) :effect (not (inside ?t)))`,
    objects: 'home work shop - place pen book keys phone - thing',
    init: '(is home) (at pen home) (at book work) (at keys home) (at phone shop)',
  },
  lamps: {
    domain: `(:requirements :adl) (:predicates (next ?x ?y) (lit ?x))
      (:action press :parameters (?x)
        :effect (and (when (lit ?x) (not (lit ?x))) (when (not (lit ?x)) (lit ?x))
          (forall (?y) (when (and (or (next ?x ?y) (next ?y ?x)) (lit ?y)) (not (lit ?y))))
          (forall (?y) (when (and (or (next ?x ?y) (next ?y ?x)) (not (lit ?y))) (lit ?y)))))`,
    objects: 'l1 l2 l3 l4 l5 l6',
    init: '(next l1 l2) (next l2 l3) (next l3 l4) (next l4 l5) (next l5 l6) (next l1 l6)',
  },
} as const satisfies Record<string, { domain: string; objects: string; init: string }>

/** One of {@link smallWorlds} with a goal. */
export function smallWorld(name: keyof typeof smallWorlds, goal: string): Task {
  const { domain, objects, init } = smallWorlds[name]
  const read = parseDomain(`(define (domain ${name}) ${domain})`, name)
  const problem = `(define (problem p) (:domain ${name}) (:objects ${objects}) (:init ${init}) (:goal ${goal}))`
  return compileTask(parseProblem(problem, read, `${name} problem`))
}
