"""Tunes a small language model on trajectories with TRL: LoRA on all linear layers.

The data are rows of `shaketable data export-sft` (`--trainer sharegpt`): turns with `from`, `value` and `loss`.
TRL has no flag for a turn; here the chat template marks as generated what `loss` allows, so that a trajectory stays
one row and mistaken turns stay in its context. A model in GGUF is read by its file name, as the packages have it.
"""

import argparse
import json
import random

import torch
from datasets import Dataset
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from trl import SFTConfig, SFTTrainer

ROLES = {"system": "system", "human": "user", "gpt": "assistant"}
# ChatML as SmolLM2 has it; the end of a turn is learned with the turn.
TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}"
    "{% if m.role == 'assistant' and m.loss %}{% generation %}{{ m.content + '<|im_end|>' }}{% endgeneration %}"
    "{% else %}{{ m.content + '<|im_end|>' }}{% endif %}{{ '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def read(file):
    for line in open(file, encoding="utf-8"):
        yield [
            {"role": ROLES[turn["from"]], "content": turn["value"], "loss": turn.get("loss") is True}
            for turn in json.loads(line)["conversations"]
        ]


def choose(rows, tokenizer, budget, order):
    """Rows in a drawn order until their learned tokens reach the budget, so that all data sets teach equally much."""
    order.shuffle(rows)
    learned = 0
    for count, messages in enumerate(rows):
        if learned >= budget:
            return rows[:count], learned
        learned += sum(len(tokenizer(m["content"]).input_ids) + 1 for m in messages if m["loss"])
    return rows, learned


class Curve(TrainerCallback):
    def __init__(self, file):
        self.file = file

    def on_log(self, args, state, control, logs=None, **rest):
        with open(self.file, "a", encoding="utf-8") as out:
            out.write(json.dumps({"step": state.global_step, **(logs or {})}) + "\n")


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("data", nargs="+")
    p.add_argument("--model", required=True, help="folder of the model")
    p.add_argument("--gguf", help="file name of a GGUF model in that folder")
    p.add_argument("--out", required=True)
    p.add_argument("--learned-tokens", type=int, default=10**12)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--rank", type=int, default=16)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--checkpoints", type=int, default=3, help="saved on the way, at even distances")
    a = p.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(a.model, gguf_file=a.gguf, pad_token="<|im_end|>", eos_token="<|im_end|>")
    tokenizer.chat_template = TEMPLATE
    model = AutoModelForCausalLM.from_pretrained(a.model, gguf_file=a.gguf, dtype="bfloat16")
    model.config.quantization_config, model.is_quantized = None, False  # read from GGUF, plain weights now
    rows, learned = choose([m for f in a.data for m in read(f)], tokenizer, a.learned_tokens, random.Random(a.seed))
    print(f"{len(rows)} rows, {learned} learned tokens", flush=True)
    config = SFTConfig(
        output_dir=a.out, seed=a.seed, num_train_epochs=1, per_device_train_batch_size=a.batch, learning_rate=a.rate,
        lr_scheduler_type="cosine", warmup_steps=0.03, bf16=torch.cuda.is_available(), use_cpu=not torch.cuda.is_available(), max_length=2560, assistant_only_loss=True,
        logging_steps=10, save_strategy="steps", save_steps=1 / (a.checkpoints + 1), report_to="none",
        gradient_checkpointing=False, train_sampling_strategy="group_by_length", dataset_num_proc=4,
    )  # fmt: skip
    lora = LoraConfig(r=a.rank, lora_alpha=2 * a.rank, target_modules="all-linear", task_type="CAUSAL_LM")
    model = get_peft_model(model, lora, autocast_adapter_dtype=False)
    trainer = SFTTrainer(
        model=model, args=config, train_dataset=Dataset.from_list([{"messages": m} for m in rows]),
        processing_class=tokenizer, callbacks=[Curve(f"{a.out}.curve.jsonl")],
    )  # fmt: skip
    trainer.train()
    trainer.save_model(a.out)
