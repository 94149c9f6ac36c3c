#include "index/hnsw_build.h"

// In 0.6.2 this removes both the functions that are defined more than once and a prefetch that
// reads past the end of a list.
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

#include <exception>
#include <string>

#include "index/dot.h"

namespace souvenance::index {
namespace {

float Distance(const void* a, const void* b, const void* dimension) {
  return 1.0f - DotProduct(static_cast<const float*>(a), static_cast<const float*>(b),
                           *static_cast<const std::size_t*>(dimension));
}

class DotSpace final : public hnswlib::SpaceInterface<float> {
 public:
  explicit DotSpace(std::size_t dimension) : dimension_(dimension) {}
  std::size_t get_data_size() override { return dimension_ * sizeof(float); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return Distance; }
  void* get_dist_func_param() override { return &dimension_; }

 private:
  std::size_t dimension_;
};

using Builder = hnswlib::HierarchicalNSW<float>;

// A list is a count in its first 16 bits, then the links.
void CopyLinks(const Builder& builder, const unsigned int* list, std::uint32_t* out) {
  const unsigned short count = builder.getListCount(const_cast<unsigned int*>(list));
  out[0] = count;
  for (std::uint32_t i = 0; i < count; ++i) out[1 + i] = list[1 + i];
}

void CopyGraph(const Builder& builder, HnswGraph* graph) {
  const std::size_t nodes = builder.cur_element_count;
  graph->entry = builder.enterpoint_node_;
  graph->max_level = static_cast<std::uint32_t>(builder.maxlevel_);
  graph->levels.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    graph->levels[i] = static_cast<std::uint32_t>(builder.element_levels_[i]);
  }
  const std::size_t base_size = 1 + 2 * std::size_t{graph->m};
  const std::size_t upper_size = 1 + std::size_t{graph->m};
  graph->base_links.assign(nodes * base_size, 0);
  graph->upper_links.assign(graph->PlaceUpperLinks(), 0);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    CopyLinks(builder, builder.get_linklist0(node), &graph->base_links[node * base_size]);
    for (std::uint32_t level = 1; level <= graph->levels[node]; ++level) {
      CopyLinks(builder, builder.get_linklist(node, static_cast<int>(level)),
                &graph->upper_links[graph->upper_start[node] + (level - 1) * upper_size]);
    }
  }
}

}  // namespace

Result<void> BuildHnswLinks(HnswGraph* graph,
                            const std::function<void(std::uint32_t done)>& progress) {
  const std::size_t nodes = graph->vectors.size() / graph->dimension;
  if (nodes == 0) return {};
  try {
    DotSpace space(graph->dimension);
    Builder builder(&space, nodes, graph->m, graph->ef_construction, graph->seed);
    for (std::size_t node = 0; node < nodes; ++node) {
      builder.addPoint(&graph->vectors[node * graph->dimension], node);
      if (progress && ((node + 1) % 1024 == 0 || node + 1 == nodes)) {
        progress(static_cast<std::uint32_t>(node + 1));
      }
    }
    CopyGraph(builder, graph);
  } catch (const std::exception& e) {
    return Fail(ErrorCode::kInternal, std::string("build an HNSW graph: ") + e.what());
  }
  return {};
}

}  // namespace souvenance::index
