#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace willitrun {

/// Makes names like the Hub's, the same ones for the same count: few owners with many models, families with sizes and
/// endings, and a tail of owners and words that occur once. Mean length about 30 bytes, as on the Hub.
inline std::vector<std::string> sample_names(std::size_t count) {
  constexpr const char* kFamilies[] = {"Qwen3",       "Llama-3.1", "Mistral",    "gemma-2", "Phi-3",  "gpt2",
                                       "DeepSeek-R1", "SmolLM2",   "bert",       "t5",      "falcon", "opt",
                                       "bloom",       "mixtral",   "starcoder2", "vit"};
  constexpr const char* kSizes[] = {"0.6B", "1.5B", "7B", "8B", "13b", "70B", "350m", "mini", "large", "8x7B"};
  constexpr const char* kEndings[] = {"Instruct",  "chat", "GGUF",   "AWQ", "4bit",
                                      "finetuned", "lora", "merged", "v2",  "uncensored"};
  constexpr std::string_view kLetters = "aeiou0123456789bcdfghklmnprstvwxyz";
  std::mt19937_64 random(count);
  const auto word = [&](std::size_t length) {
    std::string text;
    while (text.size() < length)
      text += text.size() % 2 == 0 ? kLetters[random() % kLetters.size()] : kLetters[random() % 8];
    return text;
  };
  std::vector<std::string> names;
  names.reserve(count);
  while (names.size() < count) {
    std::string name = random() % 3 == 0 ? "org" + std::to_string(random() % 2000) : word(4 + random() % 9);
    name += '/';
    name += kFamilies[random() % std::size(kFamilies)];
    name += '-';
    name += kSizes[random() % std::size(kSizes)];
    for (std::size_t i = random() % 3; i > 0; --i) name += std::string("-") + kEndings[random() % std::size(kEndings)];
    if (random() % 2 == 0) name += "-" + word(3 + random() % 6);
    names.push_back(std::move(name));
  }
  return names;
}

/// Makes searches over the names: parts of 2 to 12 bytes of names from everywhere in the ranking, so that frequent and
/// rare ones are there, and one in ten that hardly any name holds.
inline std::vector<std::string> sample_searches(const std::vector<std::string>& names, std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<std::string> searches;
  while (searches.size() < count) {
    const std::string& name = names[random() % names.size()];
    std::string part = name.substr(random() % (name.size() - 1), 2 + random() % 11);
    if (random() % 10 == 0) part += "qj";
    if (part.size() >= 2) searches.push_back(std::move(part));
  }
  return searches;
}

}  // namespace willitrun
