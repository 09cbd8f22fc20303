"""The API against its own description: requests made from /openapi.json, good and bad ones, always the same."""
import json

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from program import ROOT
from schemathesis import GenerationMode
from serving import LLAMA, PATIENCE_S, QWEN

DESCRIPTION = ROOT / "src" / "server" / "openapi.json"
# The stream of events does not end; test_sockets.py reads it.
OPERATIONS = [(path, method.upper()) for path, operations in json.loads(DESCRIPTION.read_text())["paths"].items()
              for method in operations if path != "/api/v1/events"]
ALWAYS_THE_SAME = settings(max_examples=10, derandomize=True, deadline=None, database=None, phases=[Phase.explicit, Phase.generate],
                           suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="session")
def description(server):
    return schemathesis.openapi.from_url(f"{server.url}openapi.json")


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["good", "bad"])
@pytest.mark.parametrize("path, method", OPERATIONS)
def test_every_answer_is_as_described(description, path, method, mode):
    operation = description[path][method]
    if mode == GenerationMode.NEGATIVE and not (operation.path_parameters or operation.query or operation.body):
        return  # nothing that could be wrong

    @ALWAYS_THE_SAME
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        # A version that has no results and a `where` that is no query are refused, which no schema can say beforehand.
        excluded = [schemathesis.checks.positive_data_acceptance]
        response = case.call()
        if response.status_code in (414, 431):  # refused too, by statuses that the check does not know
            excluded.append(schemathesis.checks.negative_data_rejection)
        case.validate_response(response, excluded_checks=excluded)

    ask()


MODEL = "/api/v1/models/{owner}/{name}"


@pytest.mark.parametrize("pattern, path", [
    (MODEL, f"/api/v1/models/{QWEN}"), (MODEL, f"/api/v1/models/{LLAMA}"),
    (MODEL + "/history", f"/api/v1/models/{LLAMA}/history"), ("/api/v1/compare", "/api/v1/compare?a=2.27&b=2.28"),
    ("/api/v1/models", "/api/v1/models?view=downloads"), ("/badge/{owner}/{name}.svg", f"/badge/{QWEN}.svg"),
    ("/feed/org/{owner}.atom", "/feed/org/Qwen.atom")])
def test_answers_about_what_there_is_are_as_described(server, description, pattern, path):
    """Made-up names rarely meet a model; these do."""
    reply = requests.get(server.url.rstrip("/") + path, timeout=PATIENCE_S)
    assert reply.status_code == 200
    description[pattern]["GET"].validate_response(reply)
