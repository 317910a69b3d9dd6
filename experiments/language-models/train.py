"""Tunes a small language model on trajectories with TRL: LoRA on all linear layers.

The data are rows of `shaketable data export-sft` (`--trainer sharegpt`): turns with `from`, `value` and `loss`.
TRL has no flag for a turn; here the chat template marks as generated what `loss` allows, so that a trajectory stays
one row and mistaken turns stay in its context.
"""

import argparse
import json
import os
import random

import torch
from datasets import Dataset
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.trainer_utils import get_last_checkpoint
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


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("data", nargs="+")
    p.add_argument("--model", required=True, help="folder of the model")
    p.add_argument("--gguf", help="file name of a GGUF model in that folder")
    p.add_argument("--out", required=True)
    p.add_argument("--learned-tokens", type=int, default=10**12)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rate", type=float, default=1e-3)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--accumulate", type=int, default=2, help="batches of a step")
    p.add_argument("--length", type=int, default=2304, help="tokens of a row; longer ones are cut")
    p.add_argument("--checkpoints", type=int, default=3, help="saved on the way; training resumes from them")
    a = p.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(a.model, gguf_file=a.gguf, pad_token="<|im_end|>", eos_token="<|im_end|>")
    tokenizer.chat_template = TEMPLATE
    model = AutoModelForCausalLM.from_pretrained(a.model, gguf_file=a.gguf, dtype="bfloat16")
    model.config.quantization_config, model.is_quantized = None, False  # read from GGUF, plain weights now
    rows, learned = choose([m for f in a.data for m in read(f)], tokenizer, a.learned_tokens, random.Random(a.seed))
    print(f"{len(rows)} rows, {learned} learned tokens", flush=True)
    dataset = Dataset.from_list([{"messages": m} for m in rows])
    config = SFTConfig(
        output_dir=a.out, seed=a.seed, num_train_epochs=1, per_device_train_batch_size=a.batch, max_length=a.length,
        gradient_accumulation_steps=a.accumulate, learning_rate=a.rate, lr_scheduler_type="cosine", warmup_steps=0.03,
        bf16=torch.cuda.is_available(), use_cpu=not torch.cuda.is_available(), assistant_only_loss=True, gradient_checkpointing=False, dataset_num_proc=4,
        logging_steps=10, save_strategy="steps", save_steps=1 / (a.checkpoints + 1), report_to="none",
        train_sampling_strategy="group_by_length", optim="adamw_torch_fused",
    )  # fmt: skip
    lora = LoraConfig(r=32, lora_alpha=64, target_modules="all-linear", task_type="CAUSAL_LM")
    trainer = SFTTrainer(model=get_peft_model(model, lora), args=config, train_dataset=dataset, processing_class=tokenizer)
    trainer.train(resume_from_checkpoint=get_last_checkpoint(a.out) if os.path.isdir(a.out) else None)
    trainer.save_model(a.out)
