// Does a text ask when, or say when? Small tables over words, English and Chinese.
#pragma once

#include <span>
#include <string_view>

#include "index/pieces.h"

namespace souvenance::index {

// `text` is normalised, `pieces` are its own.
bool AsksWhen(std::string_view text, std::span<const Piece> pieces);
bool SaysWhen(std::string_view text, std::span<const Piece> pieces);

}  // namespace souvenance::index
