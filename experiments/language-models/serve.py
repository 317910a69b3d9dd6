"""Serves a small Llama model, with a LoRA adapter if one is given, on one GPU to many episodes at once.

An OpenAI-compatible server of one file, for experiments that play thousands of episodes: POST /v1/chat/completions
(temperature, seed, stop, max_tokens, logprobs) and GET /v1/models. Each conversation keeps a slot of the key-value
cache, so that a call reads only what is new since the last one. A seed gives the same draws in any batch; the numbers
of bfloat16 still depend a little on the batch. Use llama.cpp or vLLM where they are at hand.
"""

import argparse
import asyncio
import functools
import json
import queue
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F
from aiohttp import web
from transformers import AutoModelForCausalLM, AutoTokenizer

END = "<|im_end|>"
SYSTEM = {"role": "system", "content": "You are a helpful AI assistant named SmolLM, trained by Hugging Face"}


class Llama:
    """The model's forward pass over slots of a key-value cache, each with a length of its own."""

    def __init__(self, model, slots, length, device):
        c = model.config
        self.heads, self.kv, self.dim, self.eps = c.num_attention_heads, c.num_key_value_heads, c.head_dim, c.rms_norm_eps
        self.group, self.slots, self.length, self.device = self.heads // self.kv, slots, length, device
        model = model.to(device, torch.bfloat16)
        self.embed, self.norm = model.model.embed_tokens.weight.data, model.model.norm.weight.data
        self.head = model.lm_head.weight.data
        self.layers = []
        for layer in model.model.layers:
            a, m = layer.self_attn, layer.mlp
            qkv = torch.cat([a.q_proj.weight.data, a.k_proj.weight.data, a.v_proj.weight.data])
            gate_up = torch.cat([m.gate_proj.weight.data, m.up_proj.weight.data])
            norms = layer.input_layernorm.weight.data, layer.post_attention_layernorm.weight.data
            self.layers.append((qkv, a.o_proj.weight.data, gate_up, m.down_proj.weight.data, *norms))
        shape = (len(self.layers), slots, self.kv, length, self.dim)
        self.keys = torch.zeros(shape, dtype=torch.bfloat16, device=device)
        self.values = torch.zeros(shape, dtype=torch.bfloat16, device=device)
        theta = c.rope_parameters["rope_theta"]
        angle = torch.arange(length, device=device)[:, None] / theta ** (
            torch.arange(0, self.dim, 2, device=device)[None] / self.dim
        )
        self.cos, self.sin = angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)

    def rotate(self, x, cos, sin):
        x = x.float()
        half = torch.cat([-x[..., self.dim // 2 :], x[..., : self.dim // 2]], -1)
        return (x * cos + half * sin).to(torch.bfloat16)

    def forward(self, tokens, rows, positions, until):
        """tokens and positions: [b, n]; rows: [b] or None for all slots. Hidden states [b, n, width].

        Keys and values of the new tokens are written first; a token sees those up to its own position.
        """
        b, n = tokens.shape
        every = rows is None
        index = torch.arange(b, device=self.device) if every else rows
        cos, sin = self.cos[positions][:, :, None], self.sin[positions][:, :, None]
        seen = torch.arange(until, device=self.device)[None, None] <= positions[:, :, None]
        mask = seen[:, None, None].expand(b, 1, self.group, n, until).reshape(b, 1, self.group * n, until)
        x = self.embed[tokens]
        for i, (qkv, out, gate_up, down, norm1, norm2) in enumerate(self.layers):
            h = F.linear(F.rms_norm(x, norm1.shape, norm1, self.eps), qkv).view(b, n, self.heads + 2 * self.kv, self.dim)
            q = self.rotate(h[:, :, : self.heads], cos, sin)
            k = self.rotate(h[:, :, self.heads : self.heads + self.kv], cos, sin)
            self.keys[i][index[:, None], :, positions] = k
            self.values[i][index[:, None], :, positions] = h[:, :, self.heads + self.kv :]
            keys = self.keys[i][:, :, :until] if every else self.keys[i][rows, :, :until]
            values = self.values[i][:, :, :until] if every else self.values[i][rows, :, :until]
            # Heads that share keys become further queries, so that the cache is read once.
            q = q.view(b, n, self.kv, self.group, self.dim).permute(0, 2, 3, 1, 4).reshape(b, self.kv, -1, self.dim)
            o = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask.expand(b, self.kv, -1, until))
            o = o.view(b, self.kv, self.group, n, self.dim).permute(0, 3, 1, 2, 4).reshape(b, n, -1)
            x = x + F.linear(o, out)
            gate, up = F.linear(F.rms_norm(x, norm2.shape, norm2, self.eps), gate_up).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, down)
        return x

    def logits(self, x):
        return F.linear(F.rms_norm(x, self.norm.shape, self.norm, self.eps), self.head).float()


def draw(logits, temperature, seed, position):
    """The next token of each row: the likeliest at temperature 0, else by Gumbel noise of (seed, position, token)."""
    token = torch.arange(logits.shape[1], device=logits.device)[None]
    x = (token * 2654435761 + seed[:, None] * 40503 + position[:, None] * 2246822519) & 0xFFFFFFFF
    for factor in (0x45D9F3B, 0x119DE1F3):
        x = ((x ^ (x >> 16)) * factor) & 0xFFFFFFFF
    uniform = (((x ^ (x >> 16)) >> 9).float() + 0.5) / 2**23
    noise = -torch.log(-torch.log(uniform))
    hot = temperature[:, None] > 0
    return torch.where(hot, logits / temperature[:, None].clamp(min=1e-6) + noise, logits).argmax(1)


class Call:
    def __init__(self, prompt, settings, family, done):
        self.prompt, self.family, self.done = prompt, family, done
        self.temperature = float(settings.get("temperature") or 0)
        self.seed = int(settings.get("seed") or 0)
        self.limit = int(settings.get("max_completion_tokens") or settings.get("max_tokens") or 256)
        stop = settings.get("stop") or []
        self.stop = [stop] if isinstance(stop, str) else stop
        self.top = int(settings.get("top_logprobs") or 0) if settings.get("logprobs") else None
        self.reply, self.logprobs, self.cached = [], [], 0


class Engine:
    """One thread that owns the model: reads what is new of each conversation, then writes a token for all at once."""

    def __init__(self, llama, tokenizer, graphs):
        self.llama, self.tokenizer, self.graphs = llama, tokenizer, graphs
        self.end = tokenizer.convert_tokens_to_ids(END)
        self.incoming = queue.SimpleQueue()
        slots, length = llama.slots, llama.length
        self.tokens = np.zeros((slots, length), dtype=np.int64)
        self.filled = np.zeros(slots, dtype=np.int64)
        self.used = np.zeros(slots)
        self.family = [None] * slots
        self.calls = [None] * slots
        device = llama.device
        self.state = {
            "token": torch.zeros(slots, dtype=torch.long, device=device),
            "position": torch.full((slots,), length - 1, dtype=torch.long, device=device),
            "temperature": torch.zeros(slots, device=device),
            "seed": torch.zeros(slots, dtype=torch.long, device=device),
        }
        self.captured, self.pool = {}, torch.cuda.graph_pool_handle() if graphs else None
        self.counts = {"calls": 0, "read": 0, "cached": 0, "written": 0}

    def place(self, call):
        """The free slot that holds most of the prompt, among those of the same beginning; else the oldest."""
        free = [s for s in range(self.llama.slots) if self.calls[s] is None]
        if not free:
            return None
        best, common = min(free, key=lambda s: (self.family[s] is not None, self.used[s])), 0
        prompt = np.asarray(call.prompt)
        for s in free:
            if self.family[s] == call.family:
                n = min(self.filled[s], len(prompt) - 1)
                differs = np.nonzero(self.tokens[s, :n] != prompt[:n])[0]
                same = int(differs[0]) if len(differs) else int(n)
                if same > common:
                    best, common = s, same
        call.cached = common
        self.calls[best], self.family[best], self.filled[best], self.used[best] = call, call.family, common, time.time()
        self.tokens[best, : len(prompt)] = prompt
        return best

    def read(self, waiting):
        """Reads one batch of prompts and writes the first token of those that are read whole."""
        waiting.sort(key=lambda s: len(self.calls[s].prompt) - self.filled[s])
        need = [min(512, len(self.calls[s].prompt) - int(self.filled[s])) for s in waiting]
        count = 1
        while count < len(waiting) and count < 128 and (count + 1) * need[count] <= 16384:
            count += 1
        rows, width = waiting[:count], max(need[:count])
        width = max(16, 1 << (width - 1).bit_length())
        starts = [int(self.filled[s]) for s in rows]
        lengths = need[:count]
        position = np.stack([np.minimum(start + np.arange(width), self.llama.length - 2) for start in starts])
        for row, n in enumerate(lengths):
            position[row, n:] = self.llama.length - 1  # padding is written where nothing reads
        until = min(self.llama.length, -(-(max(s + n for s, n in zip(starts, lengths)) + 1) // 128) * 128)
        tokens = np.stack([self.tokens[s][np.minimum(p, self.llama.length - 1)] for s, p in zip(rows, position)])
        device = self.llama.device
        hidden = self.llama.forward(
            torch.from_numpy(tokens).to(device), torch.tensor(rows, device=device), torch.from_numpy(position).to(device), until
        )
        last = torch.tensor([n - 1 for n in lengths], device=device)
        logits = self.llama.logits(hidden[torch.arange(len(rows), device=device), last])
        calls = [self.calls[s] for s in rows]
        ends = [start + n for start, n in zip(starts, lengths)]
        chosen = draw(
            logits,
            torch.tensor([c.temperature for c in calls], device=device),
            torch.tensor([c.seed for c in calls], device=device),
            torch.tensor(ends, device=device),
        )
        whole = [s for s, e in zip(rows, ends) if e == len(self.calls[s].prompt)]
        self.counts["read"] += sum(lengths)
        picked = chosen.tolist()
        for row, s in enumerate(rows):
            self.filled[s] = ends[row]
            if s in whole:
                self.accept(s, picked[row], logits[row])
        return [s for s in waiting if s not in whole]

    def accept(self, s, token, logits):
        call = self.calls[s]
        call.reply.append(token)
        if call.top is not None and logits is not None:
            logprobs = torch.log_softmax(logits, -1)
            top = torch.topk(logprobs, max(1, call.top))
            call.logprobs.append((token, float(logprobs[token]), top.indices.tolist(), top.values.tolist()))
        n = len(call.prompt) + len(call.reply) - 1
        finished = token == self.end or len(call.reply) >= call.limit or n + 2 >= self.llama.length
        if not finished and call.stop and len(call.reply) % 4 == 0:
            finished = any(text in self.tokenizer.decode(call.reply) for text in call.stop)
        if finished:
            self.calls[s] = None
            self.counts["calls"] += 1
            self.counts["written"] += len(call.reply)
            self.counts["cached"] += call.cached
            self.fresh[s] = (0, self.llama.length - 1, 0.0, 0)
            call.done(call)
        else:
            self.tokens[s, n] = token
            self.fresh[s] = (token, n, call.temperature, call.seed)

    def step(self, until):
        state = self.state
        hidden = self.llama.forward(state["token"][:, None], None, state["position"][:, None], until)[:, 0]
        logits = self.llama.logits(hidden)
        return draw(logits, state["temperature"], state["seed"], state["position"] + 1), logits

    def write(self, until):
        """One token for every slot; slots that rest compute at the last position, which nothing reads."""
        if not self.graphs:
            return self.step(until)
        if until not in self.captured:
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                self.step(until)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=self.pool):
                result = self.step(until)
            self.captured[until] = graph, result
        graph, result = self.captured[until]
        graph.replay()
        return result

    @torch.inference_mode()
    def run(self):
        waiting, backlog, self.fresh = [], [], {}
        while True:
            busy = any(c is not None for c in self.calls)
            try:
                backlog.append(self.incoming.get(block=not busy and not backlog))
                while True:
                    backlog.append(self.incoming.get_nowait())
            except queue.Empty:
                pass
            while backlog:
                s = self.place(backlog[0])
                if s is None:
                    break
                backlog.pop(0)
                waiting.append(s)
            if waiting:
                waiting = self.read(waiting)
            self.upload()
            writing = [s for s in range(self.llama.slots) if self.calls[s] is not None and self.calls[s].reply]
            if not writing:
                continue
            longest = max(len(self.calls[s].prompt) + len(self.calls[s].reply) for s in writing)
            chosen, logits = self.write(min(self.llama.length, -(-(longest + 1) // 256) * 256))
            chosen = chosen.tolist()
            for s in writing:
                self.filled[s] = len(self.calls[s].prompt) + len(self.calls[s].reply)
                self.accept(s, chosen[s], logits[s] if self.calls[s].top is not None else None)

    def upload(self):
        """Brings what changed since the last token to the device."""
        if not self.fresh:
            return
        device = self.llama.device
        rows = torch.tensor(list(self.fresh), device=device)
        for name, column in zip(("token", "position", "temperature", "seed"), zip(*self.fresh.values())):
            self.state[name][rows] = torch.tensor(column, dtype=self.state[name].dtype, device=device)
        self.fresh = {}


def application(engine, tokenizer, name):
    encode = functools.lru_cache(200_000)(lambda text: tuple(tokenizer(text, add_special_tokens=False).input_ids))
    spell = functools.lru_cache(100_000)(lambda token: tokenizer.decode([token]))

    async def chat(request):
        body = await request.json()
        # Marks of turns are tokens of their own, so that a prompt is the joined tokens of its turns.
        messages = body["messages"] if body["messages"][0]["role"] == "system" else [SYSTEM, *body["messages"]]
        prompt = [t for m in messages for t in encode(f"<|im_start|>{m['role']}\n{m['content']}{END}\n")]
        prompt += encode("<|im_start|>assistant\n")
        if len(prompt) + 2 >= engine.llama.length:
            message = f"This model's maximum context length is {engine.llama.length} tokens; the messages have {len(prompt)}."
            error = {"message": message, "type": "invalid_request_error", "code": "context_length_exceeded"}
            return web.json_response({"error": error}, status=400)
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        family = hash((name, *(m["content"] for m in body["messages"][:2])))
        engine.incoming.put(Call(prompt, body, family, lambda call: loop.call_soon_threadsafe(future.set_result, call)))
        call = await future
        ended = call.reply[-1] == engine.end
        text = tokenizer.decode(call.reply[:-1] if ended else call.reply)
        for stop in call.stop:
            if stop in text:
                text, ended = text[: text.index(stop)], True
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "stop" if ended else "length",
        }
        if call.top is not None:
            entry = lambda t, p: {"token": spell(t), "logprob": p, "bytes": list(spell(t).encode())}  # noqa: E731
            choice["logprobs"] = {
                "content": [
                    {**entry(t, p), "top_logprobs": [entry(i, v) for i, v in zip(ids, values)][: call.top]}
                    for t, p, ids, values in call.logprobs
                ]
            }
        usage = {
            "prompt_tokens": len(prompt),
            "completion_tokens": len(call.reply),
            "total_tokens": len(prompt) + len(call.reply),
            "prompt_tokens_details": {"cached_tokens": call.cached},
        }
        body = {"id": "chatcmpl", "object": "chat.completion", "created": int(time.time()), "model": name}
        return web.json_response({**body, "choices": [choice], "usage": usage})

    async def models(request):
        model = {"id": name, "object": "model", "owned_by": "local", "max_model_len": engine.llama.length}
        return web.json_response({"object": "list", "data": [model], "counts": engine.counts})

    app = web.Application(client_max_size=2**24)
    app.add_routes([web.post("/v1/chat/completions", chat), web.get("/v1/models", models)])
    return app


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--model", required=True, help="folder of the model")
    p.add_argument("--gguf", help="file name of a GGUF model in that folder")
    p.add_argument("--adapter", help="folder of a LoRA adapter")
    p.add_argument("--name", required=True)
    p.add_argument("--port", type=int, default=8000)
    p.add_argument("--slots", type=int, default=256)
    p.add_argument("--length", type=int, default=4096)
    p.add_argument("--eager", action="store_true", help="no CUDA graphs")
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a = p.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(a.model, gguf_file=a.gguf)
    model = AutoModelForCausalLM.from_pretrained(a.model, gguf_file=a.gguf, dtype=torch.bfloat16)
    if a.adapter:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, a.adapter).merge_and_unload()
    engine = Engine(Llama(model, a.slots, a.length, a.device), tokenizer, a.device == "cuda" and not a.eager)
    threading.Thread(target=engine.run, daemon=True).start()
    web.run_app(application(engine, tokenizer, a.name), host="127.0.0.1", port=a.port, access_log=None)
