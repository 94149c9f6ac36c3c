#include "index/hnsw_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace souvenance::index {
namespace {

static_assert(std::endian::native == std::endian::little, "the container is little-endian");
static_assert(sizeof(float) == 4);

constexpr char kMagic[8] = {'S', 'V', 'N', 'H', 'N', 'S', 'W', '\n'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kMaxDimension = 65'536;
constexpr std::uint32_t kMaxM = 1'024;
constexpr std::uint32_t kMaxLevel = 32;
constexpr double kUnitTolerance = 1e-3;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t dimension;
  std::uint32_t documents;
  std::uint32_t nodes;
  std::uint32_t m;
  std::uint32_t ef_construction;
  std::uint32_t seed;
  std::uint32_t entry;
  std::uint32_t max_level;
  std::uint32_t reserved;
  std::uint64_t upper_links;  // 32-bit words
  std::uint64_t bytes;        // of the whole file
};
static_assert(sizeof(Header) == 64);

tl::unexpected<Error> Corrupt(const char* why) {
  return Fail(ErrorCode::kCorruption, std::string("open an HNSW file: ") + why);
}

template <typename T>
void Put(const std::vector<T>& values, std::string* out) {
  if (values.empty()) return;
  out->append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <typename T>
void Take(std::string_view* in, std::uint64_t count, std::vector<T>* values) {
  values->resize(count);
  if (count > 0) std::memcpy(values->data(), in->data(), count * sizeof(T));
  in->remove_prefix(count * sizeof(T));
}

// All sizes fit 64 bits by far: counts are below 2^32, the factors below 2^17.
std::uint64_t ExpectedBytes(const Header& h) {
  return sizeof(Header) + 4 * (std::uint64_t{h.documents} * 2 + h.nodes +
                               std::uint64_t{h.nodes} * (1 + 2 * std::uint64_t{h.m}) +
                               h.upper_links + std::uint64_t{h.nodes} * h.dimension);
}

const char* CheckHeader(const Header& h, std::size_t size) {
  if (std::memcmp(h.magic, kMagic, sizeof(kMagic)) != 0) return "no such file";
  if (h.version != kVersion || h.reserved != 0) return "unknown version";
  if (h.dimension == 0 || h.dimension > kMaxDimension) return "bad dimension";
  if (h.m < 2 || h.m > kMaxM) return "bad number of links";
  if (h.nodes > h.documents || (h.nodes == 0) != (h.documents == 0)) return "bad counts";
  if (h.max_level > kMaxLevel) return "bad level";
  if (h.nodes == 0 ? h.entry != 0 || h.max_level != 0 : h.entry >= h.nodes) return "bad entry";
  if (h.upper_links > std::uint64_t{h.nodes} * kMaxLevel * (1 + std::uint64_t{h.m})) {
    return "bad number of links";
  }
  if (h.bytes != size || ExpectedBytes(h) != size) return "bad size";
  return nullptr;
}

const char* CheckDocuments(const HnswGraph& graph) {
  for (std::size_t i = 0; i < graph.ordinals.size(); ++i) {
    if (i > 0 && graph.ordinals[i] <= graph.ordinals[i - 1]) return "ordinals out of order";
  }
  std::vector<bool> used(graph.nodes(), false);
  for (const std::uint32_t node : graph.node_of) {
    if (node >= graph.nodes()) return "a document of no node";
    used[node] = true;
  }
  if (std::find(used.begin(), used.end(), false) != used.end()) return "a node of no document";
  return nullptr;
}

const char* CheckLinks(const HnswGraph& graph) {
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    for (std::uint32_t level = 0; level <= graph.levels[node]; ++level) {
      const std::uint32_t* list =
          level == 0 ? &graph.base_links[std::size_t{node} * (1 + 2 * std::size_t{graph.m})]
                     : &graph.upper_links[graph.upper_start[node] +
                                          (level - 1) * (1 + std::size_t{graph.m})];
      if (list[0] > (level == 0 ? 2 * graph.m : graph.m)) return "too many links";
      for (std::uint32_t i = 1; i <= list[0]; ++i) {
        if (list[i] >= graph.nodes() || graph.levels[list[i]] < level) return "a link to nowhere";
      }
    }
  }
  return nullptr;
}

const char* CheckVectors(const HnswGraph& graph) {
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    double squares = 0;
    for (const float f : graph.Vector(node)) squares += static_cast<double>(f) * f;
    // A NaN fails the comparison too.
    if (!(std::abs(squares - 1.0) <= kUnitTolerance)) return "a vector is not of unit length";
  }
  return nullptr;
}

}  // namespace

std::span<const std::uint32_t> HnswGraph::Links(std::uint32_t node, std::uint32_t level) const {
  const std::uint32_t* list =
      level == 0 ? &base_links[std::size_t{node} * (1 + 2 * std::size_t{m})]
                 : &upper_links[upper_start[node] + (level - 1) * (1 + std::size_t{m})];
  return {list + 1, list[0]};
}

std::uint64_t HnswGraph::PlaceUpperLinks() {
  upper_start.resize(levels.size());
  std::uint64_t next = 0;
  for (std::size_t node = 0; node < levels.size(); ++node) {
    upper_start[node] = next;
    next += levels[node] * (1 + std::uint64_t{m});
  }
  return next;
}

std::string EncodeHnsw(const HnswGraph& graph) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.dimension = graph.dimension;
  header.documents = static_cast<std::uint32_t>(graph.ordinals.size());
  header.nodes = graph.nodes();
  header.m = graph.m;
  header.ef_construction = graph.ef_construction;
  header.seed = graph.seed;
  header.entry = graph.entry;
  header.max_level = graph.max_level;
  header.upper_links = graph.upper_links.size();
  header.bytes = ExpectedBytes(header);
  std::string bytes;
  bytes.reserve(header.bytes);
  bytes.append(reinterpret_cast<const char*>(&header), sizeof(header));
  Put(graph.ordinals, &bytes);
  Put(graph.node_of, &bytes);
  Put(graph.levels, &bytes);
  Put(graph.base_links, &bytes);
  Put(graph.upper_links, &bytes);
  Put(graph.vectors, &bytes);
  return bytes;
}

Result<HnswGraph> DecodeHnsw(std::string_view bytes) {
  Header header{};
  if (bytes.size() < sizeof(header)) return Corrupt("cut short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (const char* why = CheckHeader(header, bytes.size()); why != nullptr) return Corrupt(why);
  bytes.remove_prefix(sizeof(header));
  HnswGraph graph;
  graph.dimension = header.dimension;
  graph.m = header.m;
  graph.ef_construction = header.ef_construction;
  graph.seed = header.seed;
  graph.entry = header.entry;
  graph.max_level = header.max_level;
  const std::uint64_t nodes = header.nodes;
  Take(&bytes, header.documents, &graph.ordinals);
  Take(&bytes, header.documents, &graph.node_of);
  Take(&bytes, nodes, &graph.levels);
  Take(&bytes, nodes * (1 + 2 * std::uint64_t{header.m}), &graph.base_links);
  Take(&bytes, header.upper_links, &graph.upper_links);
  Take(&bytes, nodes * header.dimension, &graph.vectors);
  for (const std::uint32_t level : graph.levels) {
    if (level > graph.max_level) return Corrupt("bad level");
  }
  if (nodes > 0 && graph.levels[graph.entry] != graph.max_level) return Corrupt("bad entry");
  if (graph.PlaceUpperLinks() != graph.upper_links.size()) return Corrupt("bad number of links");
  for (const auto check : {CheckDocuments, CheckLinks, CheckVectors}) {
    if (const char* why = check(graph); why != nullptr) return Corrupt(why);
  }
  return graph;
}

}  // namespace souvenance::index
