"""ALFWorld's games in TextWorld's PDDL engine, with the names of ALFWorld's own demangler."""

import textworld
from alfworld.agents.environment.alfred_tw_env import AlfredDemangler

from driver import serve

wanted = textworld.EnvInfos(won=True, admissible_commands=True)
game = {}


def begin(episode):
    game["env"] = textworld.start(episode["path"], request_infos=wanted, wrappers=[AlfredDemangler])
    return answer(game["env"].reset())


def step(action):
    state, _, _ = game["env"].step(action)
    return answer(state)


def answer(state):
    return state["feedback"], int(state["won"]), bool(state["won"]), list(state["admissible_commands"])


serve(begin, step)
