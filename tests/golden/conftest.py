"""The golden suite's option, and its fixtures."""
import pytest
from fixtures import data, endpoint, fresh_lab, golden_folder, lab, models  # noqa: F401


def pytest_addoption(parser):
    parser.addoption("--regenerate", action="store_true", help="write the rows that come out as the expected ones")


@pytest.fixture(scope="session")
def regenerate(request) -> bool:
    return request.config.getoption("--regenerate", default=False)
