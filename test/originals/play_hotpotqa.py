"""ReAct's search in pages as BeautifulSoup reads them, and HotpotQA's metric, by their published rules."""

import re
import string
import urllib.parse
import urllib.request
from collections import Counter

from bs4 import BeautifulSoup

from driver import serve

game = {}


def begin(episode):
    game.update(episode, page=None, keyword=None, found=[], next=0)
    return f"Question: {episode['question']}", 0, False, []


def step(action):
    tool, _, argument = action.removesuffix("]").partition("[")
    if tool == "search":
        return search(argument), 0, False, []
    if tool == "lookup":
        return lookup(argument), 0, False, []
    score, exact = measure(argument, game["answer"])
    return f"Episode finished, reward = {int(exact)}\n", score, True, []


def search(entity):
    address = f"{game['wiki']}/w/index.php?search={urllib.parse.quote_plus(entity)}"
    with urllib.request.urlopen(address) as response:
        soup = BeautifulSoup(response.read().decode(), "html.parser")
    headings = soup.find_all("div", {"class": "mw-search-result-heading"})
    if headings:
        titles = [clean(heading.get_text().strip()) for heading in headings]
        return f"Could not find {entity}. Similar: {titles[:5]}."
    texts = [block.get_text().strip() for block in soup.find_all("p") + soup.find_all("ul")]
    if any("may refer to:" in text for text in texts):
        return search(f"[{entity}]")
    kept = [clean(text) for text in texts if len(text.split(" ")) > 2]
    game.update(page="".join(text if text.endswith("\n") else f"{text}\n" for text in kept), keyword=None)
    return " ".join(sentences()[:5])


def clean(text):
    try:
        return text.encode().decode("unicode-escape").encode("latin1").decode("utf-8")
    except UnicodeError:
        return text


def sentences():
    lines = [line.strip() for line in (game["page"] or "").split("\n")]
    parts = [part.strip() for line in lines if line for part in line.split(". ")]
    return [f"{part}." for part in parts if part]


def lookup(keyword):
    if game["keyword"] != keyword:
        found = [one for one in sentences() if keyword.lower() in one.lower()]
        game.update(keyword=keyword, found=found, next=0)
    if game["next"] >= len(game["found"]):
        return "No more results.\n"
    game["next"] += 1
    return f"(Result {game['next']} / {len(game['found'])}) {game['found'][game['next'] - 1]}"


def normalise(answer):
    text = "".join(letter for letter in answer.lower() if letter not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def measure(answer, expected):
    given, right = normalise(answer), normalise(expected)
    closed = {"yes", "no", "noanswer"}
    if given != right and (given in closed or right in closed):
        return 0, False
    same = sum((Counter(given.split()) & Counter(right.split())).values())
    if same == 0:
        return 0, given == right
    precision, recall = same / len(given.split()), same / len(right.split())
    return 2 * precision * recall / (precision + recall), given == right


serve(begin, step)
