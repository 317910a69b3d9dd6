"""PDDL problems in PDDLGym: facts and applicable actions as `name argument argument`, sorted."""

from pddlgym.core import PDDLEnv

from driver import serve

game = {}


def begin(episode):
    env = PDDLEnv(episode["domain"], episode["problems"], operators_as_actions=True, dynamic_action_space=True)
    env.fix_problem_index(0)
    state, _ = env.reset()
    game.update(env=env, state=state, score=0, done=False)
    return answer()


def step(action):
    actions = {text(one): one for one in game["env"].action_space.all_ground_literals(game["state"])}
    if action in actions:
        game["state"], reward, done, *_ = game["env"].step(actions[action])
        game.update(score=float(reward), done=bool(done))
    return answer()


def text(literal):
    return " ".join([literal.predicate.name, *(variable.name for variable in literal.variables)])


def answer():
    facts = sorted(text(fact) for fact in game["state"].literals)
    valid = sorted(text(one) for one in game["env"].action_space.all_ground_literals(game["state"]))
    return ", ".join(facts), game["score"], game["done"], valid


serve(begin, step)
