"""Serves text environments that are written in Python to shaketable, over standard input and output.

One file without dependencies: copy it beside your environment. `serve(environment)` answers the requests of the
protocol shaketable-env/1. As a command it serves games of two packages, where they are installed:

    python3 shaketable_env.py textworld game.z8 other.z8
    python3 shaketable_env.py gymnasium Taxi-v3 --actions "move south,move north,move east,move west,pick up,drop off"
"""

import argparse
import json
import os
import re
import sys
import traceback

PROTOCOL = "shaketable-env/1"


class Environment:
    """What is served. Derive from it, or give any object with these attributes.

    `tasks` are ids, or dictionaries with `id` and perhaps `goal`, `kind` and `difficulty` (easy, hard). `can` names the
    optional methods of episodes: `admissible` and `solve`. `vocabulary` has the words for families of wording, as in
    docs/environments.md.
    """

    name = "my-environment"
    version = "1"  # changes whenever the same actions would get other answers
    measure = None  # what progress counts, in words
    tasks = ()
    can = ()
    vocabulary = None

    def begin(self, task, seed):
        """Begins an episode of the task with this id; equal seeds begin equal episodes.

        An episode has `observation` (what is read first) and `step(action)`, which gives an observation or a
        dictionary with `observation` and perhaps `progress` (0 to 1), `ended` (False, "success", "failure") and
        `understood`. It may have `goal`, `instruction`, `forms` (template: meaning), `names`, `help` and `refusal`,
        and the methods `admissible()`, `solve()` (actions, or None where there is no way) and `close()`.
        """
        raise NotImplementedError


BRIEFING = ("goal", "system", "instruction", "names", "help", "refusal")


def serve(environment, requests=None, answers=None):
    """Answers requests until there are no more. What the environment prints goes to standard error."""
    requests, answers = requests or sys.stdin, answers or sys.stdout
    sys.stdout = sys.stderr
    episodes = {}
    for line in requests:
        ask = json.loads(line)
        same = {key: ask[key] for key in ("id", "session") if key in ask}
        try:
            answer = _answer(environment, episodes, ask)
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({**answer, **same}), file=answers, flush=True)


def _answer(environment, episodes, ask):
    operation = ask["op"]
    if operation == "tasks":
        listed = [{"id": task} if isinstance(task, str) else task for task in environment.tasks]
        about = {key: getattr(environment, key, None) for key in ("name", "version", "measure", "vocabulary")}
        return {"protocol": PROTOCOL, **_given(about), "can": list(getattr(environment, "can", ())), "tasks": listed}
    if operation == "begin":
        episode = episodes[ask["session"]] = environment.begin(ask["task"], ask["seed"])
        forms = [{"template": key, "meaning": value} for key, value in getattr(episode, "forms", {}).items()]
        about = {key: getattr(episode, key, None) for key in BRIEFING}
        return {"observation": episode.observation, "forms": forms, **_given(about)}
    if operation == "close":
        episode = episodes.pop(ask["session"], None)
        if hasattr(episode, "close"):
            episode.close()
        return {}
    episode = episodes[ask["session"]]
    if operation == "step":
        answer = episode.step(ask["action"])
        return {"observation": answer} if isinstance(answer, str) else _given(answer)
    actions = getattr(episode, operation)()
    return {"actions": None if actions is None else list(actions)}


def _given(fields):
    return {key: value for key, value in fields.items() if value is not None}


class GymnasiumText(Environment):
    """Environments of Gymnasium that are read and acted on as text.

    The observation is what the environment gives if that is a string, else its rendering in the mode `ansi`. With
    `actions` (words for the numbers of a discrete space) these are the action forms; without, the action is passed on
    as the text that it is. `success(reward, terminated, truncated, info)` tells whether an episode was won; by
    default, where it terminates with a reward above 0. Task ids are those of the environments.
    """

    def __init__(self, ids, actions=None, goal="", success=None, vocabulary=None, **options):
        import gymnasium

        self.name, self.version = "gymnasium", gymnasium.__version__
        self.tasks, self.actions, self.vocabulary = list(ids), actions, vocabulary
        self.goal, self.success, self.options = goal, success or (lambda reward, end, cut, info: end and reward > 0), options
        self.can = ("admissible",) if actions else ()

    def begin(self, task, seed):
        return _GymnasiumEpisode(self, task, seed)


class _GymnasiumEpisode:
    refusal = "That is not possible."

    def __init__(self, environment, task, seed):
        import gymnasium

        self.of = environment
        try:
            self.game = gymnasium.make(task, render_mode="ansi", **environment.options)
        except Exception:  # a text environment may have no such mode
            self.game = gymnasium.make(task, **environment.options)
        observation, info = self.game.reset(seed=seed)
        self.goal = environment.goal or str(info.get("goal", ""))
        self.forms = {action: action for action in environment.actions or ()}
        self.observation = self._text(observation)

    def _text(self, observation):
        if not isinstance(observation, str):
            observation = self.game.render()
        return re.sub(r"\x1b\[[0-9;]*m", "", str(observation)).strip()

    def _mask(self):
        mask = getattr(self.game.unwrapped, "action_mask", None)
        state = getattr(self.game.unwrapped, "s", None)
        return mask(state) if callable(mask) and state is not None else None

    def admissible(self):
        mask = self._mask()
        return [action for at, action in enumerate(self.of.actions) if mask is None or mask[at]]

    def step(self, action):
        if self.of.actions and action not in self.of.actions:
            return {"observation": self.refusal, "understood": False}
        move = self.of.actions.index(action) if self.of.actions else action
        observation, reward, terminated, truncated, info = self.game.step(move)
        won = bool(self.of.success(reward, terminated, truncated, info))
        ended = "success" if won else "failure" if terminated or truncated else False
        return {"observation": self._text(observation), "ended": ended, "understood": True}

    def close(self):
        self.game.close()


TEXTWORLD_FORMS = {
    "go {direction}": "leave the room by an exit, named by its direction",
    "open {thing}": "open a door or a container",
    "close {thing}": "close a door or a container",
    "unlock {thing} with {key}": "unlock a door or a container",
    "lock {thing} with {key}": "lock a door or a container",
    "take {thing}": "pick up a thing that lies on the floor",
    "take {thing} from {place}": "pick up a thing from a container or a supporter",
    "put {thing} on {place}": "lay a thing on a supporter",
    "insert {thing} into {place}": "lay a thing into a container",
    "drop {thing}": "lay a thing on the floor",
    "eat {thing}": "eat a thing that you carry",
    "cook {thing} with {place}": "cook food with an appliance",
    "slice {thing} with {tool}": "slice food with a tool that cuts",
    "chop {thing} with {tool}": "chop food with a tool that cuts",
    "dice {thing} with {tool}": "dice food with a tool that cuts",
    "prepare meal": "make the meal of the recipe",
    "examine {thing}": "look at a thing",
    "inventory": "be told what you carry",
    "look": "be told where you are",
}

# Other words for the first word of each form, one for each draw of `synonyms`.
TEXTWORLD_VERBS = {
    "go": "walk head travel proceed stride",
    "open": "unseal uncover unfold unclose part",
    "close": "shut seal cover fold fasten",
    "unlock": "unbolt unbar unlatch release free",
    "lock": "bolt bar latch secure block",
    "take": "grab collect fetch seize lift",
    "put": "place lay set rest deposit",
    "insert": "stow tuck slide push pack",
    "drop": "discard dump leave shed abandon",
    "eat": "consume devour swallow taste finish",
    "cook": "heat warm brown sear toast",
    "slice": "carve shave split divide section",
    "chop": "hack cleave cut axe hew",
    "dice": "cube mince grind crumble shred",
    "prepare": "make assemble arrange complete compose",
    "examine": "inspect study view regard survey",
    "inventory": "belongings possessions pockets holdings load",
    "look": "observe scan watch peer gaze",
}
TEXTWORLD_VOCABULARY = {
    "actions": {
        form: [form.replace(form.split()[0], word, 1) for word in TEXTWORLD_VERBS[form.split()[0]].split()]
        for form in TEXTWORLD_FORMS
    },
    "swaps": [["open {thing}", "close {thing}"]],
}


class TextWorldGames(Environment):
    """Games of TextWorld (`tw-make`): files .z8 or .ulx with their .json beside them. A task is a file."""

    name, measure, can = "textworld", "points of the game's quests", ("admissible", "solve")
    vocabulary = TEXTWORLD_VOCABULARY

    def __init__(self, paths):
        import textworld

        self.version = textworld.__version__
        self.paths = {os.path.splitext(os.path.basename(path))[0]: path for path in paths}
        self.tasks = list(self.paths)

    def begin(self, task, seed):
        return _TextWorldEpisode(self.paths[task])


# The prompt and the status line of the interpreter.
STATUS = re.compile(r"\n>[^\S\n]*(?:-= .*)?\s*\Z")


class _TextWorldEpisode:
    refusal = "That's not a verb I recognise."

    def __init__(self, path):
        import textworld

        wanted = ("admissible_commands", "policy_commands", "entities", "command_templates", "objective", "description")
        infos = textworld.EnvInfos(**dict.fromkeys((*wanted, "won", "lost", "score", "max_score"), True))
        self.game = textworld.start(path, infos)
        self.state = self.game.reset()
        self.goal, self.observation = self.state.objective.strip(), self.state.description.strip()
        used = {template.split()[0] for template in self.state.command_templates}
        self.forms = {form: meaning for form, meaning in TEXTWORLD_FORMS.items() if form.split()[0] in used}
        self.names = list(self.state.entities)

    def admissible(self):
        return self.state.admissible_commands

    def solve(self):
        return self.state.policy_commands

    def step(self, action):
        understood = action in self.state.admissible_commands
        self.state, _, done = self.game.step(action)
        ended = "success" if self.state.won else "failure" if self.state.lost or done else False
        observation = STATUS.sub("", self.state.feedback).strip()
        progress = self.state.score / self.state.max_score if self.state.max_score else None
        return {"observation": observation, "progress": progress, "ended": ended, "understood": understood}

    def close(self):
        self.game.close()


def main():
    parser = argparse.ArgumentParser(description="Serves text games to shaketable.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    kinds.add_parser("textworld").add_argument("games", nargs="+", help="files of games, .z8 or .ulx")
    gymnasium = kinds.add_parser("gymnasium")
    gymnasium.add_argument("ids", nargs="+", help="ids of environments")
    gymnasium.add_argument("--import", dest="module", help="a module that registers the environments")
    gymnasium.add_argument("--actions", help="words for the numbers of a discrete action space, separated by commas")
    gymnasium.add_argument("--goal", default="", help="what is to be done; default: info['goal'] of the reset")
    gymnasium.add_argument("--vocabulary", help="a JSON file with the words for perturbations")
    asked = parser.parse_args()
    if asked.kind == "textworld":
        return serve(TextWorldGames(asked.games))
    if asked.module:
        sys.path.insert(0, os.getcwd())
        __import__(asked.module)
    words = None
    if asked.vocabulary:
        with open(asked.vocabulary, encoding="utf-8") as file:
            words = json.load(file)
    actions = [word.strip() for word in asked.actions.split(",")] if asked.actions else None
    return serve(GymnasiumText(asked.ids, actions, asked.goal, vocabulary=words))


if __name__ == "__main__":
    main()
