"""A task of Inspect whose tools are the actions of a small world, to be perturbed through `shaketable proxy`.

    shaketable proxy --upstream http://localhost:8000/v1 --forms rooms.yaml --perturb pseudo-verbs --port 4010 --log p.jsonl
    LAB_API_KEY=none inspect eval inspect_task.py --model openai-api/lab/my-model --model-base-url http://127.0.0.1:4010/v1
    shaketable report --proxy-log p.jsonl

rooms.yaml names what the tools are called, and the items:

    forms: ['go to {room}', 'take {thing}', 'unlock {room}']
    names: [hall, kitchen, cellar, brass key]

LAB is Inspect's name of the server, of whatever key it takes. Any other task works the same way; nothing in it knows of the proxy.
"""

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, accuracy, scorer, stderr
from inspect_ai.solver import generate, system_message, use_tools
from inspect_ai.tool import ToolError, tool
from inspect_ai.util import store

NEXT = {"hall": ["kitchen", "cellar"], "kitchen": ["hall"], "cellar": ["hall"]}


def refuse_unless(possible):
    if not possible:
        raise ToolError("Nothing happens.")


@tool
def go_to():
    async def execute(room: str):
        """Walk to a room next to this one.

        Args:
            room: The room.
        """
        here = store().get("here", "hall")
        refuse_unless(room in NEXT[here] and (room != "cellar" or store().get("open")))
        store().set("here", room)
        return f"You are in the {room}." + (" A brass key lies here." if room == "kitchen" and not store().get("key") else "")

    return execute


@tool
def take():
    async def execute(thing: str):
        """Pick up a thing that lies here.

        Args:
            thing: The thing.
        """
        refuse_unless(thing == "brass key" and store().get("here") == "kitchen" and not store().get("key"))
        store().set("key", True)
        return "You have the brass key."

    return execute


@tool
def unlock():
    async def execute(room: str):
        """Open the way to a locked room, with the key.

        Args:
            room: The room.
        """
        refuse_unless(room == "cellar" and store().get("here", "hall") == "hall" and store().get("key"))
        store().set("open", True)
        return "The cellar is open."

    return execute


@scorer(metrics=[accuracy(), stderr()])
def reached():
    async def score(state, target):
        return Score(value=1 if store().get("here") == target.text else 0)

    return score


@task
def rooms():
    goal = "You are in the hall. Go into the cellar; it is locked, and the brass key is in the kitchen."
    return Task(
        dataset=[Sample(id="cellar", input=goal, target="cellar")],
        solver=[system_message("Act by calling one function at a time."), use_tools(go_to(), take(), unlock()), generate()],
        scorer=reached(),
        message_limit=24,
    )
