"""A part of PyTorch's operator database on the device; operator_database.py runs all of it."""

import warnings

import pytest

# What generation is made of, and operators with traps: results of several tensors, views, random numbers, resizing.
NAMES = """add mul sub div pow exp rsqrt sigmoid tanh where masked_fill clamp maximum eq lt bitwise_and logical_not
sum mean amax argmax cumsum softmax log_softmax topk sort unique nonzero multinomial
mm bmm addmm matmul einsum nn.functional.linear nn.functional.embedding nn.functional.layer_norm nn.functional.silu
nn.functional.gelu nn.functional.conv2d nn.functional.scaled_dot_product_attention nn.functional.dropout
cat stack split chunk permute transpose unsqueeze expand repeat_interleave tril index_select gather scatter index_add
index_put masked_scatter take_along_dim roll view_as_complex histc arange full zeros_like normal linalg.svd""".split()


@pytest.fixture(scope="module")
def database():
    """The driver; its import builds the whole database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import operator_database
    return operator_database


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_the_cpu(database, name):
    assert database.operators({name}), "the database knows the operator"
    tally = database.tallies({name})[name]
    assert (tally.different, tally.refused) == (0, 0), tally.reason
    assert tally.same > 0
