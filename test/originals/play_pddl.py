"""PDDL problems in PDDLGym: facts and applicable actions as `name argument argument`, sorted."""

from pddlgym.core import PDDLEnv

from driver import serve

game = {}


def begin(episode):
    env = PDDLEnv(episode["domain"], episode["problems"], operators_as_actions=True, dynamic_action_space=True)
    env.fix_problem_index(0)
    state, _ = env.reset()
    game.update(env=env, state=state)
    return answer(0, False)


def step(action):
    actions = {text(one): one for one in game["env"].action_space.all_ground_literals(game["state"])}
    if action not in actions:
        return answer(0, False)
    game["state"], reward, done, *_ = game["env"].step(actions[action])
    return answer(float(reward), bool(done))


def text(literal):
    return " ".join([literal.predicate.name, *(variable.name for variable in literal.variables)])


def answer(score, done):
    facts = sorted(text(fact) for fact in game["state"].literals)
    valid = sorted(text(one) for one in game["env"].action_space.all_ground_literals(game["state"]))
    return ", ".join(facts), score, done, valid


serve(begin, step)
