"""Writes logs of Inspect from trajectories in ATIF, through Inspect's public Python API.

    shaketable data export runs/first --format atif --out first.jsonl
    python3 inspect_log.py first.jsonl --log-dir logs
    inspect view --log-dir logs

Each environment, agent, model and condition becomes a log; a task is a sample, a seed at a temperature an epoch of it.
Scores are success and progress, with their means over all samples; the spread over seeds is shaketable's to tell.
Episodes that ended in an error have the error, and no score.
"""

import argparse
import json
import os
import re
from collections import defaultdict
from datetime import datetime, timezone
from statistics import mean

from inspect_ai.log import (
    EvalConfig, EvalDataset, EvalError, EvalLog, EvalMetric, EvalResults, EvalSample, EvalScore, EvalSpec, EvalStats,
    write_eval_log,
)  # fmt: skip
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser, ContentReasoning
from inspect_ai.model import ContentText, ModelOutput, ModelUsage
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall

METRICS = ("success", "progress")


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def messages_of(trajectory):
    """The conversation: observations answer the calls of functions, or are said by the user."""
    for step in trajectory["steps"]:
        text = step["message"]
        if step["source"] != "agent":
            yield (ChatMessageSystem if step["source"] == "system" else ChatMessageUser)(content=text)
            continue
        reasoning = step.get("reasoning_content")
        content = [ContentReasoning(reasoning=reasoning), ContentText(text=text)] if reasoning else text
        calls = [
            ToolCall(id=call["tool_call_id"], function=call["function_name"], arguments=call["arguments"])
            for call in step.get("tool_calls", [])
        ]
        yield ChatMessageAssistant(content=content, tool_calls=calls or None)
        for result in step.get("observation", {"results": []})["results"]:
            call = result.get("source_call_id")
            observed = result.get("content") or ""
            yield ChatMessageTool(content=observed, tool_call_id=call) if call else ChatMessageUser(content=observed)


def sample_of(trajectory, epoch):
    extra, model = trajectory["extra"], trajectory["agent"]["model_name"]
    messages, totals = list(messages_of(trajectory)), trajectory["final_metrics"]
    first = next((at for at, one in enumerate(messages) if one.role == "assistant"), len(messages))
    replies = [one for one in messages if one.role == "assistant"]
    tokens = totals["total_prompt_tokens"], totals["total_completion_tokens"]
    usage = ModelUsage(input_tokens=tokens[0], output_tokens=tokens[1], total_tokens=sum(tokens))
    is_valid = extra["outcome"] not in ("model-error", "environment-error")
    values = {"success": float(extra["outcome"] == "success"), "progress": float(extra["progress"])}
    return EvalSample(
        id=extra["task"], epoch=epoch, input=messages[:first] or "", target="success", messages=messages,
        output=ModelOutput.from_content(model, replies[-1].text if replies else ""), model_usage={model: usage},
        scores={name: Score(value=values[name], explanation=extra["outcome"]) for name in METRICS} if is_valid else None,
        error=None if is_valid else EvalError(message=extra.get("error", extra["outcome"]), traceback="", traceback_ansi=""),
        metadata={"episode": trajectory["trajectory_id"], **extra},
    )  # fmt: skip


def score_of(name, samples):
    values = [sample.scores[name].value for sample in samples if sample.scores]
    metrics = {"mean": EvalMetric(name="mean", value=mean(values))} if values else {}
    return EvalScore(name=name, scorer="shaketable", scored_samples=len(values), metrics=metrics)


def log_of(name, trajectories):
    environment, agent, model, condition = name
    repeats = defaultdict(int)
    samples = []
    ordered = sorted(trajectories, key=lambda one: (one["extra"]["task"], one["extra"]["temperature"], one["extra"]["seed"]))
    for trajectory in ordered:
        repeats[trajectory["extra"]["task"]] += 1
        samples.append(sample_of(trajectory, repeats[trajectory["extra"]["task"]]))
    ids = list(repeats)
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    version = trajectories[0]["agent"]["version"]
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created=now, task=f"{environment}/{condition}", task_args={"agent": agent, "condition": condition}, model=f"shaketable/{model}",
            dataset=EvalDataset(name=environment, samples=len(ids), sample_ids=ids), packages={"shaketable": version},
            config=EvalConfig(epochs=max(repeats.values())), metadata={"environment": environment},
        ),
        results=EvalResults(
            total_samples=len(samples), completed_samples=sum(1 for sample in samples if sample.scores),
            scores=[score_of(metric, samples) for metric in METRICS],
        ),
        stats=EvalStats(started_at=now, completed_at=now),
        samples=samples,
    )  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="Writes logs of Inspect from trajectories in ATIF.")
    parser.add_argument("trajectories", nargs="+", help="files of `shaketable data export --format atif`, .jsonl")
    parser.add_argument("--log-dir", default="logs")
    asked = parser.parse_args()
    groups = defaultdict(list)
    for path in asked.trajectories:
        for one in read(path):
            extra, agent = one["extra"], one["agent"]
            groups[extra["environment"], agent["name"], agent["model_name"], extra["condition"]].append(one)
    os.makedirs(asked.log_dir, exist_ok=True)
    for name, trajectories in groups.items():
        path = os.path.join(asked.log_dir, re.sub(r"[^\w.-]+", "_", "-".join(name)) + ".eval")
        write_eval_log(log_of(name, trajectories), path)
        print(path)


if __name__ == "__main__":
    main()
