"""The crash suite uses the golden suite's tiny models and labs."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "golden"))

from fixtures import data, endpoint, fresh_lab, golden_folder, models  # noqa: E402, F401
