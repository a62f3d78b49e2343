// SPDX-License-Identifier: MIT
#include "search/bfs_rerun.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "search/bfs_path.h"
#include "search/make_visited_set.h"
#include "search/predecessor_log.h"

namespace tideline::bfs {
namespace {

// States taken from the layer at once.
constexpr std::size_t kTakeStates = 64;

class Rerun {
 public:
  Rerun(Shared& shared, const std::vector<Word>& target, bool keeps_layers)
      : shared_(shared),
        target_(target),
        words_(target.size()),
        keeps_layers_(keeps_layers),
        log_(shared.budget),
        out_(words_) {}

  // True if the target was found; it is the log's last state but for those that came out in the same expansion.
  bool run();
  std::optional<std::vector<PathStep>> path();

 private:
  enum class Progress : std::uint8_t { kGoOn, kFound, kStopped };
  void choose_engine();
  Progress expand_layer();
  // Takes in what is in out_: the start states, or the successors of one state.
  Progress take_in();
  // Writes the new states of out_ to the log.
  Progress log_fresh();
  std::vector<PathStep> logged_path();
  std::vector<Word> step(const Word* state, ir::CommandId command);

  Shared& shared_;
  const std::vector<Word>& target_;
  std::size_t words_;
  bool keeps_layers_;
  PredecessorLog log_;
  Engine* engine_ = nullptr;
  std::unique_ptr<NextState> model_;
  Successors out_;
  std::vector<std::uint32_t> fresh_;
  std::vector<ir::CommandId> commands_;
  std::uint64_t found_ = 0;  // the target's number
  std::uint64_t depth_ = 0;  // of the states that come out
};

void Rerun::choose_engine() {
  shared_.tick();
  Engine* engine = shared_.engine.load(std::memory_order_acquire);
  if (engine != engine_)
    model_ = engine->make();
  engine_ = engine;
}

bool Rerun::run() {
  choose_engine();
  model_->initial(out_);
  Progress progress = take_in();
  while (progress == Progress::kGoOn && shared_.set->next_layer() > 0) {
    ++depth_;
    progress = expand_layer();
  }
  if (!shared_.set->trouble().is_ok())
    shared_.stop = Stop::kTrouble;
  else if (progress == Progress::kGoOn)
    shared_.stop = Stop::kMemory;  // signatures: the target was taken for another state; only more memory helps
  return progress == Progress::kFound;
}

Rerun::Progress Rerun::expand_layer() {
  std::vector<Word> sources(kTakeStates * words_ + 1);
  while (const std::size_t count = shared_.set->take(0, kTakeStates, sources.data())) {
    for (std::size_t i = 0; i < count; ++i) {
      model_->expand(sources.data() + i * words_, out_);
      if (const Progress progress = take_in(); progress != Progress::kGoOn)
        return progress;
    }
    choose_engine();
    if (shared_.stop == Stop::kInterrupted)
      return Progress::kStopped;
  }
  return Progress::kGoOn;
}

Rerun::Progress Rerun::take_in() {
  keep_proper(out_);
  shared_.workers[0]->canonicalise(out_);
  fresh_.clear();
  if (!shared_.set->insert(0, out_.state(0), out_.size(), fresh_)) {
    shared_.stop = Stop::kMemory;
    return Progress::kStopped;
  }
  if (!keeps_layers_)
    return log_fresh();
  bool found = false;
  for (std::size_t i = 0; i < out_.size(); ++i)
    found = found || std::memcmp(out_.state(i), target_.data(), words_ * sizeof(Word)) == 0;
  out_.clear();
  return found ? Progress::kFound : Progress::kGoOn;
}

Rerun::Progress Rerun::log_fresh() {
  commands_.clear();
  Progress progress = Progress::kGoOn;
  for (const std::uint32_t i : fresh_) {
    if (std::memcmp(out_.state(i), target_.data(), words_ * sizeof(Word)) == 0) {
      found_ = log_.states() + commands_.size();
      progress = Progress::kFound;
    }
    commands_.push_back(out_.command(i));
  }
  out_.clear();
  if (!log_.add(commands_)) {
    shared_.stop = Stop::kMemory;
    return Progress::kStopped;
  }
  return progress;
}

// The state to which a command leads; without a state, a start command.
std::vector<Word> Rerun::step(const Word* state, ir::CommandId command) {
  out_.clear();
  if (state == nullptr)
    model_->initial(out_);
  else
    model_->expand(state, out_);
  shared_.workers[0]->canonicalise(out_);
  for (std::size_t i = 0; i < out_.size(); ++i)
    if (out_.proper(i) && out_.command(i) == command)
      return {out_.state(i), out_.state(i) + words_};
  CHECK(false && "a command of the log is not there");
}

std::optional<std::vector<PathStep>> Rerun::path() {
  return keeps_layers_ ? find_path(shared_, target_, depth_) : logged_path();
}

std::vector<PathStep> Rerun::logged_path() {
  std::vector<PathStep> path;
  for (std::uint64_t state = found_;;) {
    const PredecessorLog::Origin origin = log_.origin(state);
    path.push_back({origin.command, {}});
    if (origin.record == 0)
      break;
    state = origin.record - 1;
  }
  std::reverse(path.begin(), path.end());
  std::vector<Word> source;
  for (PathStep& at : path) {
    at.state = step(source.empty() ? nullptr : source.data(), at.command);
    source = at.state;
    source.push_back(0);
  }
  CHECK(path.back().state == target_);
  return path;
}

}  // namespace

bool rebuild_layers(Shared& shared, std::uint64_t last) {
  SearchOptions options = shared.options;
  options.search = SearchKind::kRuns;
  options.keep_layers = true;
  shared.set.reset();
  shared.set = make_visited_set(shared.program, options, shared.budget);
  shared.stop = Stop::kNo;
  shared.done = false;
  shared.depth = 0;
  shared.only_layers = last;
  shared.trouble = shared.set->begin();
  if (!shared.trouble.is_ok()) {
    shared.request_stop(Stop::kTrouble);
    return false;
  }
  shared.run_workers();
  return shared.stop.load() == Stop::kNo;
}

std::optional<std::vector<PathStep>> find_path_by_rerun(Shared& shared, const std::vector<Word>& state) {
  SearchOptions options = shared.options;
  options.threads = 1;
  options.keep_layers = options.search == SearchKind::kDiskBfs || options.search == SearchKind::kCloud;
  shared.set.reset();
  shared.set = make_visited_set(shared.program, options, shared.budget);
  shared.stop = Stop::kNo;
  Rerun rerun(shared, state, options.keep_layers);
  if (!rerun.run())
    return std::nullopt;
  return rerun.path();
}

}  // namespace tideline::bfs
