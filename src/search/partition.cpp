// SPDX-License-Identifier: MIT
// Search by parts [bao.05.tacas] with a projection that refines itself [evangelista.13.scp]. The parts are the business
// of the visited set (src/store/part_set.h); states are expanded by the workers of the breadth-first search, whose
// layers are then the layers of one part after the other.
//
// The order is not breadth-first: when a violation is found the search is given up for one that is (search/shortest.h).
#include "search/partition.h"

#include <memory>
#include <mutex>

#include "base/check.h"
#include "search/bfs_conclude.h"
#include "search/shortest.h"
#include "search/state_slots.h"
#include "store/part_set.h"

namespace tideline {
namespace {

constexpr std::size_t kSlotsMax = 512;

// Expands sampled states as the workers do, with a model of its own. Used by one thread at a time.
class Sampler {
 public:
  explicit Sampler(bfs::Shared& shared) : shared_(shared) {}
  void expand(const Word* state, Successors& out) {
    prepare();
    model_->expand(state, out);
    const std::size_t words = shared_.program.state_words();
    for (std::size_t i = 0; representative_ && i < out.size(); ++i)
      if (out.proper(i))
        representative_->canonicalise(out.raw()->states + i * words);
  }

 private:
  void prepare() {
    Engine* engine = shared_.engine.load(std::memory_order_acquire);
    if (engine == engine_)
      return;
    const std::lock_guard lock(shared_.engine_mutex);
    engine_ = engine;
    model_ = engine->make();
    if (shared_.reduction)
      representative_ = shared_.reduction->make();
  }

  bfs::Shared& shared_;
  Engine* engine_ = nullptr;
  std::unique_ptr<NextState> model_;
  std::unique_ptr<symmetry::Representative> representative_;
};

std::unique_ptr<VisitedSet> make_part_set(bfs::Shared& shared) {
  PartSetOptions options;
  options.state_bits = shared.program.state_bits;
  options.threads = shared.options.threads;
  options.slots = state_slots(shared.program, kSlotsMax);
  options.part_states_max = shared.options.recent_states_max;
  options.run_bytes_max = shared.options.limits.run_bytes_max;
  if (options.part_states_max != 0 && options.run_bytes_max == 0)
    options.run_bytes_max = 1;  // so many states in RAM are wanted and no more: runs are files
  options.expand = [sampler = std::make_shared<Sampler>(shared)](const Word* state, Successors& out) {
    sampler->expand(state, out);
  };
  return std::make_unique<PartSet>(std::move(options), *shared.options.workdir, shared.budget);
}

}  // namespace

SearchResult search_partition(const ir::Program& program, EngineSource& engines, const SearchOptions& options,
                              const Monitor& monitor) {
  CHECK(options.threads >= 1 && options.workdir != nullptr);
  double seconds = 0;
  {
    bfs::Shared shared(program, engines, options, monitor);
    shared.set = make_part_set(shared);
    bfs::run(shared);
    if (!bfs::best_candidate(shared))
      return bfs::conclude(shared);
    seconds = shared.seconds();
  }
  return search_shortest(program, engines, options, monitor, seconds);
}

}  // namespace tideline
