"""Serves a small Llama model, with a LoRA adapter if one is given, on one GPU to many episodes at once.

An OpenAI-compatible server of one file, for experiments that play thousands of episodes: POST /v1/chat/completions
(temperature, seed, stop, max_tokens, logprobs) and GET /v1/models. Each conversation keeps a slot of the key-value
cache, so that a call reads only what is new since the last one. A seed gives the same draws in any batch; the numbers
of bfloat16 still depend a little on the batch. Use llama.cpp or vLLM where they are at hand.
"""

import argparse
import asyncio
import functools
import os
import queue
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F
import triton
import triton.language as tl
from aiohttp import web
from transformers import AutoModelForCausalLM, AutoTokenizer

END = "<|im_end|>"
SYSTEM = {"role": "system", "content": "You are a helpful AI assistant named SmolLM, trained by Hugging Face"}


@triton.jit
def rotate_and_store(qkv, cos, sin, slots, positions, q, keys, values, length, H: tl.constexpr, KV: tl.constexpr):
    """One token: its queries rotated into q, its keys (rotated) and values stored at its position of its slot."""
    t = tl.program_id(0)
    slot, position = tl.load(slots + t), tl.load(positions + t)
    d = tl.arange(0, 32)
    c, s = tl.load(cos + position * 32 + d), tl.load(sin + position * 32 + d)
    for h in tl.static_range(H + KV):
        a = tl.load(qkv + (t * (H + 2 * KV) + h) * 64 + d).to(tl.float32)
        b = tl.load(qkv + (t * (H + 2 * KV) + h) * 64 + 32 + d).to(tl.float32)
        if h < H:
            to = q + (t * H + h) * 64
        else:
            to = keys + ((slot * KV + h - H) * length + position) * 64
        tl.store(to + d, (a * c - b * s).to(q.dtype.element_ty))
        tl.store(to + 32 + d, (b * c + a * s).to(q.dtype.element_ty))
    e = tl.arange(0, 64)
    for h in tl.static_range(KV):
        v = tl.load(qkv + (t * (H + 2 * KV) + H + KV + h) * 64 + e)
        tl.store(values + ((slot * KV + h) * length + position) * 64 + e, v)


@triton.jit
def attend(q, keys, values, out, slots, firsts, counts, starts, length, H: tl.constexpr, KV: tl.constexpr,
           TOKENS: tl.constexpr, KEYS: tl.constexpr):  # fmt: skip
    """A block of up to TOKENS neighbouring tokens of one slot, for the query heads that share one key head."""
    block, kv = tl.program_id(0), tl.program_id(1)
    count = tl.load(counts + block)
    if count == 0:
        return
    slot, first, start = tl.load(slots + block), tl.load(firsts + block), tl.load(starts + block)
    group: tl.constexpr = H // KV
    row = tl.arange(0, TOKENS * 4)
    token, head = row // 4, row % 4
    is_used = (token < count) & (head < group)
    d = tl.arange(0, 64)
    at = ((first + token) * H + kv * group + head)[:, None] * 64 + d[None]
    query = tl.load(q + at, mask=is_used[:, None], other=0.0)
    base = (slot * KV + kv) * length * 64
    most = tl.full([TOKENS * 4], -1e30, tl.float32)
    total = tl.zeros([TOKENS * 4], tl.float32)
    mixed = tl.zeros([TOKENS * 4, 64], tl.float32)
    end = start + count
    for j in range(0, end, KEYS):
        n = j + tl.arange(0, KEYS)
        k = tl.load(keys + base + n[:, None] * 64 + d[None], mask=(n < end)[:, None], other=0.0)
        score = tl.dot(query, tl.trans(k)) * 0.125
        score = tl.where(n[None] <= (start + token)[:, None], score, -1e30)
        now = tl.maximum(most, tl.max(score, 1))
        weight = tl.exp(score - now[:, None])
        scale = tl.exp(most - now)
        v = tl.load(values + base + n[:, None] * 64 + d[None], mask=(n < end)[:, None], other=0.0)
        total = total * scale + tl.sum(weight, 1)
        mixed = mixed * scale[:, None] + tl.dot(weight.to(v.dtype), v)
        most = now
    tl.store(out + at, (mixed / total[:, None]).to(out.dtype.element_ty), mask=is_used[:, None])


@triton.jit
def draw_tokens(logits, temperatures, seeds, positions, chosen, size, BLOCK: tl.constexpr):
    """The next token of a row: the likeliest at temperature 0, else by Gumbel noise of (seed, position, token)."""
    row = tl.program_id(0)
    temperature = tl.load(temperatures + row)
    seed = tl.load(seeds + row) * 1000003 + tl.load(positions + row)
    best = tl.full([1], -float("inf"), tl.float32)
    token = tl.zeros([1], tl.int64)
    for j in range(0, size, BLOCK):
        n = j + tl.arange(0, BLOCK)
        x = tl.load(logits + row.to(tl.int64) * size + n, mask=n < size, other=-float("inf"))
        if temperature > 0:
            x = x / temperature - tl.log(-tl.log(tl.rand(seed, n) + 1e-10))
        high = tl.max(x, 0)
        where = j + tl.argmax(x, 0)
        token = tl.where(high > best, where.to(tl.int64), token)
        best = tl.maximum(best, high)
    tl.store(chosen + row + tl.arange(0, 1), token)


def blocks_of(slots, starts, counts, size, device):
    """Blocks of `attend` for pieces of conversations that lie behind one another."""
    rows, first = [], 0
    for slot, start, count in zip(slots, starts, counts):
        rows += [(slot, first + i, min(size, count - i), start + i) for i in range(0, count, size)]
        first += count
    return torch.tensor(rows, dtype=torch.int32).T.contiguous().to(device).unbind()


class Llama:
    """The model's forward pass over slots of a key-value cache, each with a length of its own."""

    def __init__(self, model, slots, length, device):
        c = model.config
        self.heads, self.kv, self.dim, self.eps = c.num_attention_heads, c.num_key_value_heads, c.head_dim, c.rms_norm_eps
        assert self.dim == 64 and self.heads // self.kv <= 4, "heads of 64, at most four queries a key"
        self.slots, self.length, self.device = slots, length, device
        self.dtype = torch.bfloat16 if device == "cuda" else torch.float32
        model = model.to(device, self.dtype)
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
        self.keys = torch.zeros(shape, dtype=self.dtype, device=device)
        self.values = torch.zeros(shape, dtype=self.dtype, device=device)
        theta = c.rope_parameters["rope_theta"]
        frequency = theta ** (torch.arange(0, self.dim, 2, device=device)[None] / self.dim)
        angle = torch.arange(length, device=device)[:, None] / frequency
        self.cos, self.sin = angle.cos().contiguous(), angle.sin().contiguous()

    def forward(self, tokens, slots, positions, blocks, size):
        """Hidden states of tokens, each at a position of a slot; it sees that slot up to its own position."""
        x = self.embed[tokens]
        many, heads = len(tokens), dict(H=self.heads, KV=self.kv)
        q = torch.empty(many, self.heads * self.dim, dtype=self.dtype, device=self.device)
        mixed = torch.zeros_like(q)
        for i, (qkv, out, gate_up, down, norm1, norm2) in enumerate(self.layers):
            h = F.linear(F.rms_norm(x, norm1.shape, norm1, self.eps), qkv)
            cache = self.keys[i], self.values[i]
            rotate_and_store[(many,)](h, self.cos, self.sin, slots, positions, q, *cache, self.length, **heads, num_warps=1)
            grid = len(blocks[0]), self.kv
            attend[grid](q, *cache, mixed, *blocks, self.length, **heads, TOKENS=size, KEYS=64, num_warps=4)
            x = x + F.linear(mixed, out)
            gate, up = F.linear(F.rms_norm(x, norm2.shape, norm2, self.eps), gate_up).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, down)
        return x

    def draw(self, hidden, temperatures, seeds, positions):
        """The next token after each hidden state, and the logits."""
        x = F.rms_norm(hidden, self.norm.shape, self.norm, self.eps)
        logits = torch.mm(x, self.head.T, out_dtype=torch.float32) if x.is_cuda else (x @ self.head.T).float()
        chosen = torch.empty(len(x), dtype=torch.long, device=self.device)
        draw_tokens[(len(x),)](logits, temperatures, seeds, positions, chosen, logits.shape[1], BLOCK=4096, num_warps=8)
        return chosen, logits


class Call:
    def __init__(self, prompt, settings, family, done):
        self.prompt, self.family, self.done = prompt, family, done
        self.temperature = float(settings.get("temperature") or 0)
        self.seed = int(settings.get("seed") or 0) % 1000000
        self.limit = int(settings.get("max_completion_tokens") or settings.get("max_tokens") or 256)
        stop = settings.get("stop") or []
        self.stop = [stop] if isinstance(stop, str) else stop
        self.top = int(settings.get("top_logprobs") or 0) if settings.get("logprobs") else None
        self.reply, self.logprobs, self.cached = [], [], 0


STEPS = 4  # tokens that are written before the host looks at them


class Engine:
    """One thread that owns the model: reads what is new of each conversation, then writes tokens for all at once."""

    def __init__(self, llama, tokenizer, graphs):
        self.llama, self.tokenizer, self.graphs = llama, tokenizer, graphs
        self.end = tokenizer.convert_tokens_to_ids(END)
        self.incoming = queue.SimpleQueue()
        slots, length, device = llama.slots, llama.length, llama.device
        self.tokens = np.zeros((slots, length), dtype=np.int64)
        self.filled = np.zeros(slots, dtype=np.int64)
        self.used = np.zeros(slots)
        self.family = [None] * slots
        self.calls = [None] * slots
        whole = functools.partial(torch.zeros, slots, device=device)
        self.token, self.seed = whole(dtype=torch.long), whole(dtype=torch.long)
        self.position = torch.full((slots,), length - 1, dtype=torch.int32, device=device)
        self.active, self.temperature = whole(dtype=torch.int32), whole()
        self.every = torch.arange(slots, dtype=torch.int32, device=device)
        self.graph, self.fresh = None, {}
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
        """Reads prompts, at most 16,384 tokens at once, and writes the first token of those that are read whole."""
        rows, starts, needs, room = [], [], [], 16384
        for s in waiting:
            need = min(room, len(self.calls[s].prompt) - int(self.filled[s]))
            if need == 0:
                break
            rows.append(s), starts.append(int(self.filled[s])), needs.append(need)
            room -= need
        device = self.llama.device
        tokens = np.concatenate([self.tokens[s, a : a + n] for s, a, n in zip(rows, starts, needs)])
        places = np.concatenate([np.arange(a, a + n, dtype=np.int32) for a, n in zip(starts, needs)])
        slots = np.repeat(np.asarray(rows, dtype=np.int32), needs)
        tokens, places, slots = (torch.from_numpy(x).to(device) for x in (tokens, places, slots))
        hidden = self.llama.forward(tokens, slots, places, blocks_of(rows, starts, needs, 16, device), 16)
        calls = [self.calls[s] for s in rows]
        ends = [a + n for a, n in zip(starts, needs)]
        last = hidden[torch.tensor(np.cumsum(needs) - 1, device=device)]
        column = lambda values, kind: torch.tensor(values, dtype=kind, device=device)  # noqa: E731
        temperatures = column([c.temperature for c in calls], torch.float32)
        seeds = column([c.seed for c in calls], torch.long)
        chosen, logits = self.llama.draw(last, temperatures, seeds, column(ends, torch.int32))
        self.counts["read"] += sum(needs)
        for row, (s, token, end) in enumerate(zip(rows, chosen.tolist(), ends)):
            self.filled[s] = end
            if end == len(self.calls[s].prompt):
                waiting.remove(s)
                self.accept(s, token, logits[row])

    def accept(self, s, token, logits):
        """Adds a token to the reply in a slot; whether the reply goes on."""
        call = self.calls[s]
        call.reply.append(token)
        if call.top is not None:
            logprobs = torch.log_softmax(logits, -1)
            top = torch.topk(logprobs, max(1, call.top))
            call.logprobs.append((token, float(logprobs[token]), top.indices.tolist(), top.values.tolist()))
        n = len(call.prompt) + len(call.reply) - 1
        if token == self.end or len(call.reply) >= call.limit or n + STEPS + 2 >= self.llama.length:
            self.calls[s] = None
            self.filled[s] = n
            self.counts["calls"] += 1
            self.counts["written"] += len(call.reply)
            self.counts["cached"] += call.cached
            self.fresh[s] = (0, self.llama.length - 1, 0, 0.0, 0)
            call.done(call)
            return False
        self.tokens[s, n] = token
        self.fresh[s] = (token, n, 1, call.temperature, call.seed)
        return True

    def upload(self):
        """Brings what changed since the last tokens to the device."""
        rows = torch.tensor(list(self.fresh), device=self.llama.device)
        columns = self.token, self.position, self.active, self.temperature, self.seed
        for column, values in zip(columns, zip(*self.fresh.values())):
            column[rows] = torch.tensor(values, dtype=column.dtype, device=self.llama.device)
        self.fresh = {}

    def steps(self):
        """The next tokens of every slot; slots that rest compute at the last position, which nothing reads."""
        chosen, logits = [], []
        for _ in range(STEPS):
            blocks = self.every, self.every, self.active, self.position
            hidden = self.llama.forward(self.token, self.every, self.position, blocks, 4)
            token, scores = self.llama.draw(hidden, self.temperature, self.seed, self.position + 1)
            self.token.copy_(token)
            self.position.add_(self.active)
            chosen.append(token), logits.append(scores)
        return torch.stack(chosen), logits

    def write(self):
        if not self.graphs:
            return self.steps()
        if self.graph is None:
            before = self.token.clone(), self.position.clone()
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                self.steps()
            torch.cuda.synchronize()
            self.token.copy_(before[0]), self.position.copy_(before[1])
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.result = self.steps()
        self.graph.replay()
        return self.result

    @torch.inference_mode()
    def run(self):
        try:
            self.serve()
        except Exception:
            import traceback

            traceback.print_exc()
            os._exit(1)  # a server without its model answers nothing

    def serve(self):
        waiting, backlog = [], []
        while True:
            busy = any(c is not None for c in self.calls)
            try:
                backlog.append(self.incoming.get(block=not busy and not backlog))
                while True:
                    backlog.append(self.incoming.get_nowait())
            except queue.Empty:
                pass
            while backlog and (s := self.place(backlog[0])) is not None:
                backlog.pop(0)
                waiting.append(s)
            if waiting:
                self.read(waiting)
            writing = [s for s, c in enumerate(self.calls) if c is not None and c.reply]
            if not writing:
                continue
            if self.fresh:
                self.upload()
            chosen, logits = self.write()
            for s, tokens in zip(writing, chosen[:, writing].T.tolist()):
                for step, token in enumerate(tokens):
                    if not self.accept(s, token, logits[step][s]):
                        break
                else:
                    self.fresh.pop(s)  # the device has gone on by itself


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
            most = f"This model's maximum context length is {engine.llama.length} tokens"
            message = f"{most}; the messages have {len(prompt)}."
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
