"""BabyAI's levels in Minigrid, without text: actions are Minigrid's own, 0 to 6."""

import json

import gymnasium
import minigrid
from minigrid.core.constants import IDX_TO_COLOR, IDX_TO_OBJECT

from driver import serve

if "BabyAI-GoToRedBall-v0" not in gymnasium.registry:
    minigrid.register_minigrid_envs()
game = {}


def begin(episode):
    env = gymnasium.make(episode["name"], disable_env_checker=True).unwrapped
    seen, _ = env.reset(seed=episode["seed"])
    game["env"] = env
    generator = env.np_random.bit_generator.state
    drawn = [str(generator["state"]["state"]), generator["has_uint32"]]
    return describe(seen, {"mission": env.mission, "maxSteps": env.max_steps, "drawn": drawn}), 0, False, []


def step(action):
    seen, reward, terminated, _, _ = game["env"].step(int(action))
    return describe(seen, {}), float(reward), bool(terminated), []


def describe(seen, more):
    env = game["env"]
    codes = env.grid.encode()
    cells = []
    for y in range(env.height):
        for x in range(env.width):
            kind, colour, state = (int(code) for code in codes[x, y])
            if IDX_TO_OBJECT[kind] in ("empty", "wall"):
                continue
            held = env.grid.get(x, y).contains if IDX_TO_OBJECT[kind] == "box" else None
            inside = f"{held.color} {held.type}" if held is not None else ""
            cells.append([x, y, IDX_TO_OBJECT[kind], IDX_TO_COLOR[colour], state, inside])
    walls = [y * env.width + x for y in range(env.height) for x in range(env.width) if codes[x, y][0] == 2]
    agent = [int(env.agent_pos[0]), int(env.agent_pos[1]), int(env.agent_dir)]
    carrying = f"{env.carrying.color} {env.carrying.type}" if env.carrying is not None else ""
    view = [int(code) for code in seen["image"].flatten()]
    state = {**more, "size": [env.width, env.height], "agent": agent, "carrying": carrying}
    return json.dumps({**state, "walls": walls, "cells": cells, "view": view}, separators=(",", ":"))


serve(begin, step)
