"""ScienceWorld's Python package, by AgentBoard's loop: the list of actions is made once by the package in each step,
and with `again` a second time after each turn, as AgentBoard does to count understood actions."""

from scienceworld import ScienceWorldEnv

from driver import serve

env = ScienceWorldEnv("", envStepLimit=10**6)
state = {}


def begin(episode):
    task, variation = episode["type"], episode["variation"]
    env.load(task, variation, episode["simplifications"], False)
    state["again"] = episode["again"]
    observation, info = env.reset()
    state["last"] = {**info, "valid": sorted(info["valid"])} if episode["again"] else info
    return answer(f"{env.get_task_description()}\n{observation}\n{env.inventory()}", state["last"])


def step(action):
    if action == "check valid actions":
        kinds = [kind for kind in env.get_possible_actions() if "reset" not in kind]
        observation = f"Choose an action from these valid actions: {', '.join([*kinds, action])}"
        info = dict(state["last"])
    else:
        observation, _, _, info = env.step(action)
    if state["again"]:
        info["valid"] = sorted(one["action"] for one in env.get_valid_action_object_combinations_with_templates())
    state["last"] = info
    return answer(observation, info)


def answer(observation, info):
    # The engine's own words; the package rounds the score, and adds its step limit.
    return observation, env.server.getScore(), bool(env.server.getCompleted()), list(info["valid"])


serve(begin, step)
