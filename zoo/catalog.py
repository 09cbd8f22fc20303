"""The zoo's models: what each is called, how it is made, and what a reader of its model card should know."""

from collections.abc import Callable
from dataclasses import dataclass

from zoo import reshape, vision
from zoo.base import Base
from zoo.reshape import Checkpoint

OWNER = "willitrun-zoo"


@dataclass(frozen=True)
class Entry:
    """One model of the zoo."""

    name: str
    make: Callable[[Base], Checkpoint]
    card: str
    task: str = "text-generation"

    @property
    def model_id(self) -> str:
        return f"{OWNER}/{self.name}"


CATALOG = (
    Entry(
        "smollm2-135m-llama",
        reshape.llama,
        "The base: SmolLM2-135M-Instruct, dequantised from 4 bits. Its 9 query and 3 kv heads divide over no even number of cores.",
    ),
    Entry(
        "smollm2-135m-llama-padded",
        reshape.padded_llama,
        "The base with heads of zeros appended, 12 query and 4 kv heads: tensor-parallel over 2 and 4 cores.",
    ),
    Entry("smollm2-135m-qwen2", reshape.qwen2, "The base as a Qwen2, with biases of zero."),
    Entry("smollm2-135m-phi3", reshape.phi3, "The base as a Phi3, with fused matrices."),
    Entry(
        "smollm2-135m-mixtral",
        reshape.mixtral,
        "The base as a Mixtral of 8 experts, 4 per token: each MLP cut into quarters, each quarter held twice, and a router that "
        "really decides. Heads padded to 12 and 4.",
    ),
    Entry(
        "smollm2-135m-gpt-oss",
        reshape.gpt_oss,
        "The base as a GptOss of 8 experts, 4 per token, with sinks, biases and clamps that do nothing. Heads padded to 12 and 4. "
        "Needs a Transformers that honours swiglu_alpha and swiglu_limit, as 5.24.0 does; 5.10.2 ignores them and computes "
        "something else.",
    ),
    Entry(
        "smollm2-135m-llava",
        vision.llava,
        "The base with a small random vision tower, as a LLaVA. Images go the whole way but mean nothing to it.",
        task="image-text-to-text",
    ),
    Entry(
        "smollm2-135m-embedder",
        reshape.embedder,
        "The first four layers of the base, without a head: a task that willitrun does not test.",
        task="feature-extraction",
    ),
)
