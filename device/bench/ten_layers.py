"""The model of the compiled benchmarks: a random llama of ten layers, one decode step with a static cache.

Run as a program it makes the first compiled step of its process and prints where the time went, as JSON.
"""

import functools
import json
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

    return step


def compiled_step(device: str, backend: str):
    """The step, compiled already."""
    step = _step(device, backend)
    step()
    return step


def _timed(function, spent: list[float]):
    """`function`, which adds the seconds that it takes to `spent`."""

    @functools.wraps(function)
    def timed(*arguments):
        started = time.perf_counter()
        try:
            return function(*arguments)
        finally:
            spent.append(time.perf_counter() - started)

    return timed


@torch.inference_mode()
def main() -> None:
    import torch_neuronx
    from torch_neuronx.compiler import inductor

    torch.set_num_threads(1)
    load_s: list[float] = []
    inductor.load = _timed(inductor.load, load_s)
    step = _step("neuron", "neuron")
    started = time.perf_counter()
    step()
    first_step_s = time.perf_counter() - started
    (graph,) = torch_neuronx.get_dynamo_metrics()
    times = {
        "first_step_s": first_step_s,
        "obtain_s": graph["compile_time_s"],
        "capture_s": first_step_s - graph["compile_time_s"],
        "load_s": sum(load_s),
    }
    print(json.dumps({name: round(seconds, 2) for name, seconds in times.items()} | {"source": graph["source"]}))


if __name__ == "__main__":
    main()
