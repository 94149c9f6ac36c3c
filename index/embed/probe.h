// The built-in probe texts: short sentences, each on a topic of its own.
#pragma once

#include <span>
#include <string_view>

namespace souvenance::index {

std::span<const std::string_view> EnglishProbes();
std::span<const std::string_view> ChineseProbes();

}  // namespace souvenance::index
