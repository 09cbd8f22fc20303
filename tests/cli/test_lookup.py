"""Looking up in a home that knows nothing yet: an answer, and what to do."""
import json


def test_an_empty_home_says_so_and_what_to_do(program):
    answer = program("lookup", "qwen3")
    assert (answer.status, answer.out) == (0, "")
    assert "has no results yet and knows no models" in answer.err
    assert "willitrun data pull" in answer.err


def test_an_empty_home_answers_json_with_the_lists_shape(program):
    answer = program("lookup", "--json").json()
    assert answer["schema"] == 1
    assert (answer["rows"], answer["total"], answer["total_exact"], answer["next"], answer["stack"]) == ([], 0, True, None, None)


def test_a_model_that_nobody_knows_has_no_answer(program):
    answer = program("show", "no/such")
    assert (answer.status, answer.out) == (3, "")
    assert "this home knows no model 'no/such'" in answer.err


def test_a_query_that_cannot_be_read_is_wrong_usage_and_names_the_column(program):
    answer = program("lookup", "--where", "cores<=many")
    assert (answer.status, answer.out) == (2, "")
    assert "query, column 8: 'many' is no number" in answer.err


def test_a_view_that_does_not_exist_is_wrong_usage(program):
    answer = program("lookup", "--view", "best")
    assert answer.status == 2
    assert "use selected, trending or downloads" in answer.err


def test_a_megabyte_of_search_text_is_refused(program):
    answer = program("lookup", "a" * 100_000)
    assert answer.status == 2
    assert "the search text is too long" in answer.err
