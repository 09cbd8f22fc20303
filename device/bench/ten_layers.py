"""The model of the compiled benchmark: a random llama of ten layers, one decode step with a static cache."""

import os
import tempfile
import time

import torch
import transformers


def _model() -> transformers.LlamaForCausalLM:
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=2048,
        hidden_size=512,
        intermediate_size=1408,
        num_hidden_layers=10,
        num_attention_heads=8,
        num_key_value_heads=4,
        max_position_embeddings=512,
    )
    return transformers.LlamaForCausalLM(config).eval()


def _step(device: str, backend: str):
    model = _model().to(device)
    cache = transformers.StaticCache(config=model.config, max_cache_len=512)
    forward = torch.compile(model.forward, backend=backend, fullgraph=True, dynamic=False)
    token, position = torch.tensor([[5]], device=device), torch.tensor([[3]], device=device)
    model(input_ids=torch.tensor([[1, 2, 3]], device=device), past_key_values=cache, use_cache=True)

    def step():
        return forward(input_ids=token, past_key_values=cache, position_ids=position, use_cache=True).logits

    step()
    return step


def compiled_steps():
    """The same step on the device and with plain Inductor on the CPU, both compiled already."""
    os.environ["NEURON_EMULATED_COMPILER"] = "inductor"
    os.environ["TORCH_NEURONX_NEFF_CACHE_DIR"] = tempfile.mkdtemp(prefix="bench_neff_")
    return _step("neuron", "neuron"), _step("cpu", "inductor")


def load_from_cache_s() -> float:
    """Seconds to load the step's graph from its file, after compiled_steps, as a new process does it."""
    from torch_neuronx.compiler import cache, container, inductor
    import torch_neuronx

    key = torch_neuronx.get_dynamo_metrics()[-1]["graph_id"]
    os.environ["NEURON_EMULATED_WORK_DIR"] = tempfile.mkdtemp(prefix="bench_work_")
    inductor._prepare_instruction_set()
    started = time.perf_counter()
    inductor.load(key, container.from_bytes(cache.path_of(key).read_bytes()).payload)
    return round(time.perf_counter() - started, 2)
