"""NLTK's tokenizers. The model that Punkt learnt is not in NLTK's wheel; an episode begins with its facts."""

import json

from nltk.tokenize.destructive import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

from driver import serve

words = NLTKWordTokenizer()
model = {}
# NLTK's flags: seen small inside a sentence, and seen as a capital there.
SMALL, CAPITAL = 1 << 5, 1 << 2


def begin(episode):
    if episode:
        parameters = PunktParameters()
        parameters.abbrev_types = set(episode["abbreviations"])
        parameters.sent_starters = set(episode["sentenceStarters"])
        parameters.collocations = {tuple(pair.split(" ")) for pair in episode["collocations"]}
        for word in episode["capitalOnlyFirst"]:
            parameters.ortho_context[word] = SMALL
        for word in episode["seenSmall"]:
            parameters.ortho_context[word] = SMALL | CAPITAL
        model["sentences"] = PunktSentenceTokenizer(parameters)
    return "", 0, False, []


def step(text):
    sentences = model["sentences"].tokenize(text)
    tokens = [word for sentence in sentences for word in words.tokenize(sentence)]
    return json.dumps([sentences, tokens], ensure_ascii=False, separators=(",", ":")), 0, False, []


serve(begin, step)
