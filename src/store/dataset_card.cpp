#include "store/dataset_card.h"

#include <fmt/format.h>

#include "store/data_dictionary.h"
#include "store/parquet_codec.h"

namespace willitrun {
namespace {

constexpr std::string_view kMeaning = R"(
# Which models run on which accelerator stack

Each row is a verdict about one model on one stack (the exact set of versions) and one target (the kind of device), found by
running one script: 32 new tokens, greedy, compared with a CPU run of the same checkpoint. `run_py` is that script, whole.
A PASS says nothing about throughput or longer generation.

```python
import pandas as pd

df = pd.read_parquet("trn2")
df[df.model_id == "Qwen/Qwen3-0.6B"][["neuronx_cc", "library", "library_version", "neuron_cores", "result"]]
```

One folder per target, one file per (neuronx-cc, library version). `attempts/` holds every attempt behind the verdicts, with the
same columns. Rows whose `emulated` is true come from a device that only imitates Trainium.

## Values of `verdict`

| value | meaning |
|---|---|
| PASS | it ran, and `evidence` says what ties its output to the reference |
| FAIL | it did not, and `stage`, `class` and `signature` say why |
| TOO_LARGE | no number of cores both divides the model and holds it |
| EXCLUDED | deliberately not tested; `exclusion` says why |
| UNTESTED | not tested yet |
| FLAKY | attempts with the same inputs disagree |
| INDETERMINATE | only trouble of the harness or the machine was seen; nothing is known about the model |

`result` holds the same words in rows of ours. Rows that were imported from other datasets keep their own words, and have no
`verdict`.

## Values of `evidence`, strongest first

| value | meaning |
|---|---|
| tokens | all tokens equal the reference's |
| near_tie | they part where the reference's two best tokens are closer than the tolerance, and logits agree from there on |
| logits | teacher-forced logits are within the tolerance |
| fluent | a judge model calls the text fluent English; fluent is not correct |
| none | nothing ties the output to a reference |
)";

std::string configurations(const std::vector<TargetShare>& targets) {
  std::string text;
  for (const TargetShare& share : targets) {
    if (share.num_verdicts > 0)
      text += fmt::format("  - config_name: {0}\n    data_files: {0}/*.parquet\n{1}", share.target,
                          share.target == "trn2" ? "    default: true\n" : "");
    if (share.num_attempts > 0)
      text += fmt::format("  - config_name: attempts-{0}\n    data_files: attempts/{0}/*.parquet\n", share.target);
  }
  return text;
}

std::string contents(const std::vector<TargetShare>& targets) {
  std::string text = "\n## Contents\n\n| target | verdicts | attempts |\n|---|---|---|\n";
  for (const TargetShare& share : targets)
    text += fmt::format("| {} | {} | {} |\n", share.target, share.num_verdicts, share.num_attempts);
  return text;
}

std::string dictionary() {
  std::string text =
      fmt::format("\n## Columns (schema {})\n\n| column | type | meaning |\n|---|---|---|\n", kDatasetSchema);
  for (const DatasetColumn& column : dataset_columns())
    text += fmt::format("| {} | {} | {} |\n", column.name, type_name(column.source->type), column.source->meaning);
  return text;
}

}  // namespace

std::string dataset_card(const std::vector<TargetShare>& targets) {
  const std::string configs = configurations(targets);
  return fmt::format(
             "---\nlicense: apache-2.0\npretty_name: Model support on accelerator stacks\ntags:\n  - trainium\n  - "
             "neuron\n{}---\n",
             configs.empty() ? "" : "configs:\n" + configs) +
         std::string(kMeaning) + contents(targets) + dictionary();
}

}  // namespace willitrun
