// The container of an HNSW graph on disk, and its parser: the only code that sees such bytes.
// docs/formats/vectors.md.
#pragma once

#include <souvenance/error.h>
#include <souvenance/ids.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace souvenance::index {

// A graph over distinct vectors ("nodes"), each shared by one or more documents.
struct HnswGraph {
  std::uint32_t dimension = 0;
  std::uint32_t m = 0;  // links of a node on the upper levels; twice as many on level 0
  std::uint32_t ef_construction = 0;
  std::uint32_t seed = 0;
  std::uint32_t entry = 0;      // a node of the highest level; 0 when there is no node
  std::uint32_t max_level = 0;  // 0 when there is no node

  std::vector<Ordinal> ordinals;           // of the documents, ascending
  std::vector<std::uint32_t> node_of;      // of each document
  std::vector<std::uint32_t> levels;       // of each node
  std::vector<std::uint32_t> base_links;   // nodes × (1 + 2 m): a count, then the links
  std::vector<std::uint32_t> upper_links;  // (1 + m) for each node and level above 0
  std::vector<float> vectors;              // nodes × dimension, unit length
  std::vector<std::uint64_t> upper_start;  // of each node in upper_links; not stored

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(levels.size()); }
  std::span<const float> Vector(std::uint32_t node) const {
    return std::span(vectors).subspan(std::size_t{node} * dimension, dimension);
  }
  std::span<const std::uint32_t> Links(std::uint32_t node, std::uint32_t level) const;
  // Sets upper_start from the levels; returns the size that upper_links must have.
  std::uint64_t PlaceUpperLinks();
};

std::string EncodeHnsw(const HnswGraph& graph);

// Checks every count against the size before it is used, and every link, level and number.
// Errors: kCorruption.
Result<HnswGraph> DecodeHnsw(std::string_view bytes);

}  // namespace souvenance::index
