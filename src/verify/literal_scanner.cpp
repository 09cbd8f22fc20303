#include "verify/literal_scanner.h"

#include <deque>

#include "base/check.h"

namespace willitrun {
namespace {

constexpr std::size_t kNone = SIZE_MAX;

struct Node {
  std::vector<std::size_t> next;  ///< By column; kNone where the trie has no branch.
  std::size_t fallback = 0;
  std::vector<std::size_t> ids;
};

std::vector<Node> make_trie(const std::vector<std::string>& literals, const std::array<std::uint8_t, 256>& column,
                            std::size_t num_columns) {
  std::vector<Node> trie(1, Node{std::vector<std::size_t>(num_columns, kNone), 0, {}});
  for (std::size_t id = 0; id < literals.size(); ++id) {
    std::size_t at = 0;
    for (const char c : literals[id]) {
      const std::size_t branch = column[static_cast<unsigned char>(c)];
      if (trie[at].next[branch] == kNone) {
        trie[at].next[branch] = trie.size();
        trie.push_back(Node{std::vector<std::size_t>(num_columns, kNone), 0, {}});
      }
      at = trie[at].next[branch];
    }
    trie[at].ids.push_back(id);
  }
  return trie;
}

/// Fills in every missing branch, level by level, so that a node's fallback is complete before the node needs it.
void resolve_branches(std::vector<Node>& trie) {
  std::deque<std::size_t> queue;
  for (std::size_t& child : trie[0].next) {
    if (child == kNone) {
      child = 0;
    } else {
      queue.push_back(child);
    }
  }
  while (!queue.empty()) {
    Node& node = trie[queue.front()];
    queue.pop_front();
    const Node& fallback = trie[node.fallback];
    node.ids.insert(node.ids.end(), fallback.ids.begin(), fallback.ids.end());
    for (std::size_t branch = 0; branch < node.next.size(); ++branch) {
      if (node.next[branch] == kNone) {
        node.next[branch] = fallback.next[branch];
      } else {
        trie[node.next[branch]].fallback = fallback.next[branch];
        queue.push_back(node.next[branch]);
      }
    }
  }
}

}  // namespace

LiteralScanner::LiteralScanner(const std::vector<std::string>& literals) {
  for (const std::string& literal : literals) {
    CHECK(!literal.empty());
    for (const char c : literal) {
      std::uint8_t& column = column_[static_cast<unsigned char>(c)];
      if (column == 0) column = static_cast<std::uint8_t>(num_columns_++);
    }
  }
  for (unsigned char c = 'a'; c <= 'z'; ++c) column_[static_cast<std::size_t>(c - 'a' + 'A')] = column_[c];
  std::vector<Node> trie = make_trie(literals, column_, num_columns_);
  resolve_branches(trie);
  for (Node& node : trie) {
    for (const std::size_t target : node.next) {
      const bool hit = !trie[target].ids.empty();
      next_.push_back(static_cast<std::uint32_t>(target) * num_columns_ | (hit ? kHit : 0));
    }
  }
  for (Node& node : trie) ids_.push_back(std::move(node.ids));
}

}  // namespace willitrun
