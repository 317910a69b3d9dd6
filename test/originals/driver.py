"""The line protocol of the drivers: a JSON object a line on standard input, an answer a line on standard output."""

import json
import os
import sys


def serve(begin, step):
    """Answers {"begin": episode} and {"action": text} until the input ends.

    Both functions return observation, score, done and the valid actions. The libraries may print; what they print goes
    to standard error.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = begin(request["begin"]) if "begin" in request else step(request["action"])
            answer = dict(zip(("observation", "score", "done", "valid"), answer))
        except Exception as error:  # The other side reports it as a difference.
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
