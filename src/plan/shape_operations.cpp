// What the loader's conversion operations do to shapes (transformers, core_model_loading.py). Operations that only
// reorder elements (rotary permutations, interleaving) leave a shape as it is; unknown ones are taken to do the same.
#include "plan/shape_operations.h"

#include <algorithm>
#include <numeric>

namespace willitrun {
namespace {

/// The dimension that `number` means in `shape`, counted from the end when negative.
std::size_t dimension_of(const Shape& shape, int number) {
  const int rank = static_cast<int>(shape.size());
  return static_cast<std::size_t>(std::clamp(number < 0 ? number + rank : number, 0, std::max(rank - 1, 0)));
}

int argument(const Transform::Operation& operation, std::size_t index) {
  return index < operation.arguments.size() ? operation.arguments[index] : 0;
}

/// Stacks all tensors of a source along a new dimension.
Shape stacked(const std::vector<Shape>& shapes, int dim) {
  Shape shape = shapes.front();
  const auto at = std::min<std::size_t>(static_cast<std::size_t>(std::max(dim, 0)), shape.size());
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), shapes.size());
  return shape;
}

/// Joins the shapes of all sources along one dimension.
Shape concatenated(const Collected& collected, int dim) {
  Shape joined;
  for (const auto& [source, shapes] : collected)
    for (const Shape& shape : shapes) {
      if (shape.empty()) continue;
      const std::size_t at = dimension_of(shape, dim);
      if (joined.empty())
        joined = shape;
      else if (at < joined.size())
        joined[at] += shape[at];
    }
  return joined;
}

void transpose(Shape& shape, int first, int second) {
  if (!shape.empty()) std::swap(shape[dimension_of(shape, first)], shape[dimension_of(shape, second)]);
}

/// A convolution kernel (out, in, ...) as a matrix (out, in x ...).
void flatten_kernel(Shape& shape) {
  if (shape.size() > 2)
    shape = {shape[0], std::accumulate(shape.begin() + 1, shape.end(), std::uint64_t{1}, std::multiplies<>())};
}

void apply(const Transform::Operation& operation, std::size_t num_targets, Collected& collected,
           std::vector<Shape>& split) {
  const auto for_each = [&](auto change) {
    for (auto& [source, shapes] : collected)
      for (Shape& shape : shapes) change(shape);
  };
  if (operation.name == "MergeModulelist") {
    for (auto& [source, shapes] : collected) shapes = {stacked(shapes, argument(operation, 0))};
  } else if (operation.name == "Concatenate" || operation.name == "VisionFuseAndPermuteForRope") {
    collected = {{0, {concatenated(collected, argument(operation, 0))}}};
  } else if (operation.name == "Transpose") {
    for_each([&](Shape& shape) { transpose(shape, argument(operation, 0), argument(operation, 1)); });
  } else if (operation.name == "Conv3dToLinear") {
    for_each(flatten_kernel);
  } else if ((operation.name == "Chunk" || operation.name == "Split" ||
              operation.name == "VisionUnfuseAndPermuteForRope") &&
             !collected.empty()) {
    Shape part = collected.begin()->second.front();
    if (part.empty() || num_targets == 0) return;
    std::uint64_t& size = part[dimension_of(part, argument(operation, 0))];
    const std::uint64_t whole = size;
    size = whole / num_targets;
    split.assign(num_targets, part);
    split.back()[dimension_of(part, argument(operation, 0))] = whole - size * (num_targets - 1);
  }
}

}  // namespace

std::vector<Shape> apply_operations(const Transform& transform, const Collected& collected) {
  Collected current = collected;
  std::vector<Shape> split;
  for (const Transform::Operation& operation : transform.operations)
    apply(operation, transform.targets.size(), current, split);
  if (!split.empty()) return split;
  std::vector<Shape> all;
  for (const auto& [source, shapes] : current) all.insert(all.end(), shapes.begin(), shapes.end());
  return all;
}

}  // namespace willitrun
