"""Jericho's Python package on any story. Beside the text, the whole memory of the story is hashed, with score, moves and
objects in it. Actions that begin with # keep and take back a state, and compare a list of actions with Jericho's own by
the effects that both reach."""

import json
import re
import time
import warnings
from hashlib import sha1

from jericho import FrotzEnv, util
from jericho.template_action_generator import TemplateActionGenerator

from driver import serve

warnings.simplefilter("ignore")
# Jericho has no grammar of stories that it does not know: these are forms of Inform's library.
grammar = """take OBJ;drop OBJ;open OBJ;close OBJ;eat OBJ;drink OBJ;enter OBJ;search OBJ;push OBJ;pull OBJ;wear OBJ;kiss OBJ;
switch on OBJ;switch off OBJ;take OBJ from OBJ;put OBJ in OBJ;put OBJ on OBJ;insert OBJ into OBJ;give OBJ to OBJ;
unlock OBJ with OBJ;lock OBJ with OBJ;cook OBJ with OBJ;slice OBJ with OBJ;dice OBJ with OBJ;chop OBJ with OBJ"""
play = {}
# Its nouns come from spaCy's English model, which PyPI does not have: every word stands in, and the dictionary chooses.
util.extract_objs = lambda text: {(word, "NOUN") for word in re.findall(r"[a-z][a-z'-]+", text.lower())}


def begin(episode):
    play.clear()
    env = FrotzEnv(episode["file"], episode["seed"])
    env.act_gen = TemplateActionGenerator({"name": "", "max_word_length": 9, "grammar": grammar.replace("\n", "")})
    play.update(env=env, cut=episode["hasStatusLine"] and not env.is_fully_supported)
    return answer(env.reset()[0])


def step(action):
    env = play["env"]
    if action == "#keep":
        play["kept"] = env.get_state()
        return answer("")
    if action == "#back":
        env.set_state(play["kept"])
        return answer("")
    if action.startswith("#effects "):
        return effects(json.loads(action[9:]))
    if action.startswith("#time "):
        return speed(json.loads(action[6:]))
    return answer(env.step(action)[0])


def answer(text):
    env = play["env"]
    if play["cut"]:  # Inform's library draws its status line behind the prompt.
        text = text.rsplit(">", 1)[0]
    text = re.sub(r" \S[^\n]* Score: -?\d+ +Moves: \d+ *", "", text)  # The line of version 3 stands between two inputs.
    done = bool(env.victory() or env.game_over() or env._emulator_halted())
    return text.strip(), 0, done, [sha1(bytes(env._get_ram())).hexdigest()]


def effects(actions):
    """The number of effects that Jericho's list reaches, how many of them are reached by the actions too, and the first
    that are not."""
    env = play["env"]
    env.is_fully_supported = True
    own = env.get_valid_actions(use_object_tree=env.get_player_object() is not None, use_parallel=False)
    theirs = env._filter_candidate_actions(own)
    ours = env._filter_candidate_actions(actions)
    missed = [found[0] for effect, found in theirs.items() if effect not in ours]
    return "", 0, False, [str(len(theirs)), str(len(theirs) - len(missed)), *missed]


def speed(actions):
    """The seconds of processor time that the actions take, each with what Jericho's step does: the best of some rounds."""
    env = play["env"]
    rounds = []
    for _ in range(4):
        env.reset()
        begun = time.process_time()
        for action in actions:
            env.step(action)
        rounds.append(time.process_time() - begun)
    return "", 0, False, [str(min(rounds))]


serve(begin, step)
