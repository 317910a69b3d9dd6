"""Checks that trainers learn from the turns that `shaketable data export-sft` meant, and from nothing else.

Reads NAME.jsonl (sharegpt), NAME.trl.jsonl and NAME.llama-factory.jsonl of one folder, has TRL and LLaMA-Factory
tokenize them with their own code, and compares the text of the tokens that carry loss with the turns whose `loss` is
true. `train.py` is checked as well: there a trajectory is one row. Says what differs and ends with 1, else with 0.
"""

import argparse
import collections
import json
import tempfile

from datasets import Dataset, load_dataset
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM
from trl import SFTConfig, SFTTrainer

import train

END = "<|im_end|>"


def spans(ids, labels, tokenizer):
    """The texts of neighbouring tokens that carry loss; a line break after the end of a turn may be learned or not."""
    span = []
    for token, label in zip([*ids, 0], [*labels, -100]):
        if label != -100:
            span.append(token)
        elif span:
            yield tokenizer.decode(span).rstrip("\n")
            span = []


def by_trl(dataset, tokenizer, **options):
    size = dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1, head_dim=8)
    model = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), num_key_value_heads=1, **size))
    with tempfile.TemporaryDirectory() as folder:
        config = SFTConfig(output_dir=folder, report_to="none", use_cpu=True, bf16=False, max_length=None, **options)
        trainer = SFTTrainer(model=model, args=config, train_dataset=dataset, processing_class=tokenizer)
    return [(row["input_ids"], row["labels"]) for row in trainer.train_dataset]


def by_llama_factory(folder, name, tokenizer):
    from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
    from llamafactory.hparams import DataArguments, ModelArguments
    from transformers import Seq2SeqTrainingArguments

    data = DataArguments(
        dataset=f"{name}.llama-factory", dataset_dir=folder, template="chatml", cutoff_len=8192, mask_history=True
    )
    with tempfile.TemporaryDirectory() as scratch:
        arguments = Seq2SeqTrainingArguments(output_dir=scratch, use_cpu=True, bf16=False, report_to="none")
        model = ModelArguments(model_name_or_path=scratch, cache_dir=scratch)
        template = get_template_and_fix_tokenizer(tokenizer, data)
        rows = get_dataset(template, model, data, arguments, stage="sft", tokenizer=tokenizer)["train_dataset"]
    return [(row["input_ids"], row["labels"]) for row in rows]


def differences(name, rows, wanted, tokenizer):
    found = collections.Counter(text for ids, labels in rows for text in spans(ids, labels, tokenizer))
    extra, missing = found - wanted, wanted - found
    total, many, few = (sum(counts.values()) for counts in (found, extra, missing))
    print(f"{name}: {total} turns learned from, {many} too many, {few} missing")
    for text in [*list(extra)[:3], *list(missing)[:3]]:
        print(f"  {'extra' if text in extra else 'missing'}: {text!r}")
    return len(extra) + len(missing)


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("folder")
    p.add_argument("name")
    p.add_argument("--model", required=True, help="folder of a model with ChatML, such as SmolLM2's")
    p.add_argument("--gguf", help="file name of a GGUF model in that folder")
    p.add_argument("--llama-factory", action="store_true", help="also with LLaMA-Factory")
    a = p.parse_args()

    def tokenizer():
        return AutoTokenizer.from_pretrained(a.model, gguf_file=a.gguf, pad_token=END, eos_token=END)

    trajectories = list(train.read(f"{a.folder}/{a.name}.jsonl"))
    wanted = collections.Counter(m["content"] + END for messages in trajectories for m in messages if m["loss"])
    plain, marked = tokenizer(), tokenizer()
    marked.chat_template = train.TEMPLATE
    rows = load_dataset("json", data_files=f"{a.folder}/{a.name}.trl.jsonl", split="train")
    wrong = differences("TRL, a row a turn", by_trl(rows, plain, completion_only_loss=True), wanted, plain)
    rows = Dataset.from_list([{"messages": messages} for messages in trajectories])
    wrong += differences("TRL, a row a trajectory", by_trl(rows, marked, assistant_only_loss=True), wanted, marked)
    if a.llama_factory:
        wrong += differences("LLaMA-Factory", by_llama_factory(a.folder, a.name, plain), wanted, plain)
    raise SystemExit(1 if wrong else 0)
