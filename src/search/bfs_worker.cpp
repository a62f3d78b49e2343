// SPDX-License-Identifier: MIT
#include "search/bfs_worker.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "search/make_visited_set.h"
#include "store/state_hash.h"

namespace tideline::bfs {
namespace {

// Successors collected before they are looked up together; fewer in thin layers, so that threads end them together.
constexpr std::size_t kBatch = 512;
constexpr std::size_t kThinBatch = 64;
constexpr std::uint64_t kThinParts = 4;
// States taken from the layer at once: at most this many, this many bytes, and this part of a thread's share.
constexpr std::uint64_t kTakeStates = 128;
constexpr std::uint64_t kTakeBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kTakeParts = 8;
// Memory for small objects: buffers, the native engine's code, thread stacks.
constexpr std::uint64_t kSmallObjects = std::uint64_t{3} << 20;
// For states before reduction that a worker remembers. 1 MiB gains half of what 4 gain, 16 no more.
constexpr std::uint64_t kSeenBytesMax = std::uint64_t{1} << 22;
// For the states that it has found: half of a core's second-level cache, or less.
constexpr std::uint64_t kRecentBytesMax = std::uint64_t{1} << 19;
constexpr std::uint64_t kSeenStatesMin = 256;  // with fewer it is not worth its while
constexpr std::uint64_t kSeenPart = 16;
// How far ahead of the state being looked up its bucket is fetched.
constexpr std::size_t kSeenAhead = 12;
// Time between checkpoints, in multiples of what one takes.
constexpr double kCheckpointShare = 20;
constexpr auto kTickInterval = std::chrono::milliseconds(50);

// What the process holds beside the visited set: what it held before, and the workers' buffers.
std::uint64_t bytes_in_use(const ir::Program& program, unsigned threads) {
  const std::uint64_t buffers = 2 * kBatch * (program.state_words() + 1) * sizeof(Word) + kTakeBytes;
  return resident_bytes() + kSmallObjects + threads * buffers;
}

void unite(std::vector<std::uint8_t>& all, const std::vector<std::uint8_t>& some) {
  for (std::size_t i = 0; i < some.size(); ++i)
    all[i] = static_cast<std::uint8_t>(all[i] | some[i]);
}

// Closes the gaps that entries leave for which keep(i) is false.
template <typename Keep>
void keep_if(Successors& out, const Keep& keep) {
  tl_buffer* buffer = out.raw();
  const std::size_t words = buffer->words;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < buffer->count; ++i) {
    if (!keep(i))
      continue;
    if (kept != i)
      std::memcpy(buffer->states + kept * words, buffer->states + i * words, words * sizeof(Word));
    buffer->commands[kept++] = buffer->commands[i];
  }
  buffer->count = kept;
}

}  // namespace

Shared::Shared(const ir::Program& the_program, EngineSource& the_engines, const SearchOptions& the_options,
               const Monitor& the_monitor)
    : program(the_program),
      engines(the_engines),
      options(the_options),
      monitor(the_monitor),
      budget(options.memory_bytes, bytes_in_use(program, options.threads)),
      set(make_visited_set(program, options, budget)),
      engine(&engines.current()),
      barrier(options.threads, EndLayer{this}) {
  if (options.symmetry != SymmetryMode::kOff && !options.scalarsets.empty()) {
    Successors starts(program.state_words());
    Interpreter(program).initial(starts);
    const std::vector<Word> none(program.state_words() + 1);
    reduction = std::make_unique<symmetry::Reduction>(program, options.symmetry, options.scalarsets,
                                                      starts.size() == 0 ? none.data() : starts.state(0));
  }
  has_checks = std::any_of(program.properties.begin(), program.properties.end(), [](const ir::Property& p) {
    return p.kind == ir::PropertyKind::kInvariant || p.kind == ir::PropertyKind::kCover;
  });
}

Shared::~Shared() = default;

double Shared::seconds() const {
  return before.seconds + std::chrono::duration<double>(Clock::now() - begun).count();
}

Status Shared::begin() {
  if (options.resume != nullptr) {
    before = options.resume->state;
    depth = before.depth;
    error_level = before.error_level;
    const std::map<std::string, std::uint64_t>& numbers = options.resume->set.numbers;
    layer_size = numbers.contains("layer_size") ? numbers.at("layer_size") : 0;
    if (Status status = set->load(options.resume->set); !status.is_ok())
      return status;
  }
  return set->begin();
}

SearchState Shared::state() const {
  SearchState now = before;
  now.depth = depth;
  now.error_level = error_level;
  now.seconds = seconds();
  now.covered.resize(program.covers.size());
  for (const auto& worker : workers) {
    now.visited += worker->counters().visited.load(std::memory_order_relaxed);
    now.edges += worker->counters().edges.load(std::memory_order_relaxed);
    now.deadlocks += worker->counters().deadlocks.load(std::memory_order_relaxed);
    now.errors += worker->counters().errors.load(std::memory_order_relaxed);
    unite(now.covered, worker->covered());
    if (worker->best() && (!now.best || *worker->best() < *now.best))
      now.best = worker->best();
  }
  return now;
}

// Between two layers, now and then: so seldom, unless the user wants it after each, that it takes a twentieth of the
// time at most.
void Shared::checkpoint() {
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_checkpoint_).count();
  const double wanted = options.checkpoint_seconds == 0
                            ? 0
                            : std::max(options.checkpoint_seconds, kCheckpointShare * checkpoint_seconds_);
  if (options.settings == nullptr || only_layers || !set->can_save() || since < wanted)
    return;
  Manifest manifest;
  manifest.settings = *options.settings;
  manifest.state = state();
  manifest.search = set->saved_as();
  trouble = set->save(manifest.set);
  const IoCounts& io = options.workdir->counts();
  manifest.names_given = options.workdir->names_given();
  manifest.state_reads = io.state_reads.load(std::memory_order_relaxed);
  manifest.state_writes = io.state_writes.load(std::memory_order_relaxed);
  manifest.bytes_read = io.bytes_read.load(std::memory_order_relaxed);
  manifest.bytes_written = io.bytes_written.load(std::memory_order_relaxed);
  if (trouble.is_ok())
    trouble = write_manifest(manifest, *options.workdir);
  if (!trouble.is_ok())
    request_stop(Stop::kTrouble);
  last_checkpoint_ = Clock::now();
  checkpoint_seconds_ = std::chrono::duration<double>(last_checkpoint_ - now).count();
}

void Shared::run_workers() {
  std::vector<std::jthread> threads;
  for (unsigned id = 1; id < workers.size(); ++id)
    threads.emplace_back([this, id] { workers[id]->run(); });
  workers[0]->run();
}

void Shared::request_stop(Stop why) {
  Stop none = Stop::kNo;
  stop.compare_exchange_strong(none, why);
}

void Shared::end_layer() noexcept {
  const bool violated = !only_layers && std::any_of(workers.begin(), workers.end(),
                                                    [](const auto& worker) { return worker->ends_search(); });
  const auto fails = [](const auto& worker) { return worker->counters().errors.load(std::memory_order_relaxed) > 0; };
  if (options.error_is_state && error_level == 0 && std::any_of(workers.begin(), workers.end(), fails))
    error_level = depth;
  layer_size = stop.load() == Stop::kNo ? set->next_layer() : 0;  // what was stopped has no next layer
  if (!set->trouble().is_ok())
    request_stop(Stop::kTrouble);
  if (layer_size > 0)
    ++depth;
  if (!violated && layer_size > 0 && stop.load() == Stop::kNo)
    checkpoint();
  done = layer_size == 0 || violated || stop.load() != Stop::kNo || (only_layers && depth > *only_layers);
}

Figures Shared::figures() const {
  Figures figures;
  const std::uint64_t states = set->size();
  std::uint64_t visited = before.visited;
  std::uint64_t edges = before.edges;
  std::uint64_t deadlocks = before.deadlocks;
  std::uint64_t errors = before.errors;
  for (const auto& worker : workers) {
    visited += worker->counters().visited.load(std::memory_order_relaxed);
    edges += worker->counters().edges.load(std::memory_order_relaxed);
    deadlocks += worker->counters().deadlocks.load(std::memory_order_relaxed);
    errors += worker->counters().errors.load(std::memory_order_relaxed);
  }
  // The error state is not in the set.
  const std::uint64_t error_states = options.error_is_state && errors > 0 ? 1 : 0;
  if (set->counts_distinct()) {  // else some were expanded again, and layers of them may have come last
    figures.states = states + error_states;
    figures.deadlocks = deadlocks + error_states;
    if (set->breadth_first())
      figures.levels = std::max(depth == 0 ? 0 : depth - 1, error_level);
  }
  figures.visited = visited + error_states;
  figures.edges = edges + (options.error_is_state ? errors : 0);
  figures.frontier = states - std::min(states, visited);
  figures.state_bits = program.state_bits;
  figures.seconds = seconds();
  figures.peak_rss_bytes = peak_resident_bytes();
  figures.peak_states = set->peak_states();
  figures.store_bytes = set->bytes();
  figures.memory_budget_bytes = budget.total();
  figures.omission_probability = set->omission_probability();
  if (sweep != nullptr)
    add_sweep_figures(figures);
  if (options.workdir != nullptr) {
    const IoCounts& io = options.workdir->counts();
    figures.state_reads = io.state_reads.load(std::memory_order_relaxed);
    figures.state_writes = io.state_writes.load(std::memory_order_relaxed);
    figures.bytes_read = io.bytes_read.load(std::memory_order_relaxed);
    figures.bytes_written = io.bytes_written.load(std::memory_order_relaxed);
    figures.disk_peak_bytes = io.disk_peak_bytes.load(std::memory_order_relaxed);
  }
  return figures;
}

void Shared::add_sweep_figures(Figures& figures) const {
  const SweepCounts counts = sweep->counts();
  figures.sweeps = counts.sweeps;
  figures.layers = counts.layers;
  figures.persistent = counts.persistent;
  figures.regress_edges = counts.regress_edges;
  figures.forward_edges = counts.forward_edges;
  figures.stationary_edges = counts.stationary_edges;
  figures.largest_layer = counts.largest_layer;
  figures.layer_key = counts.key;
  figures.layer_rank = counts.layer_of_sweep + 1;
  figures.layers_ahead = counts.queue_layers;
  figures.layer_states = counts.layer_states;
  figures.queue_ram = counts.queue_ram;
  figures.queue_disk = counts.queue_disk;
}

void Shared::tick() {
  const Clock::time_point now = Clock::now();
  if (now - last_tick < kTickInterval)
    return;
  last_tick = now;
  if (monitor.interrupted != nullptr && monitor.interrupted->load(std::memory_order_relaxed))
    request_stop(Stop::kInterrupted);
  const double since = std::chrono::duration<double>(now - begun).count();  // of this process, if it was resumed
  if (options.time_limit_seconds > 0 && since > options.time_limit_seconds)
    request_stop(Stop::kTime);
  if (Engine* next = engines.poll())
    engine.store(next, std::memory_order_release);
  if (monitor.progress)
    monitor.progress(figures());
}

void keep_proper(Successors& out) {
  if (out.all_proper())
    return;
  keep_if(out, [&out](std::size_t i) { return out.proper(i); });
  out.raw()->failures = out.raw()->outside = 0;
}

Worker::Worker(Shared& shared, unsigned id)
    : shared_(shared),
      id_(id),
      words_(shared.program.state_words()),
      covered_before_(shared.program.covers.size(), 0),
      out_(words_) {}

void Worker::change_engine() {
  Engine* engine = shared_.engine.load(std::memory_order_acquire);
  if (engine == engine_)
    return;
  if (model_)
    unite(covered_before_, model_->covered());
  const std::lock_guard lock(shared_.engine_mutex);
  engine_ = engine;
  model_ = engine->make();
}

std::vector<std::uint8_t> Worker::covered() const {
  std::vector<std::uint8_t> all = covered_before_;
  unite(all, model_->covered());
  return all;
}

// What a thread writes often is made by that thread: two threads' small objects on one cache line cost a third of the
// speed.
void Worker::run() {
  change_engine();
  if (shared_.reduction)
    representative_ = shared_.reduction->make();
  if (shared_.sweep == nullptr)  // a sweep forgets states, and counts every edge
    make_caches();
  if (shared_.options.resume == nullptr || shared_.only_layers) {
    if (id_ == 0)
      seed();
    wait_for_others();
  }
  while (!shared_.done) {
    depth_ = shared_.depth;
    expand_layer();
    wait_for_others();
  }
}

void Worker::wait_for_others() {
  shared_.barrier.arrive_and_wait([this] { return shared_.set->help(id_); });
}

void Worker::seed() {
  model_->initial(out_);
  for (std::size_t i = 0; out_.failures() > 0 && i < out_.size(); ++i)
    if (out_.failed(i))
      offer({1, Reason::kError, 0, {}, true, out_.command(i), 0});
  dispatch();
}

void Worker::expand_layer() {
  const std::uint64_t share = shared_.layer_size / (shared_.options.threads * kTakeParts);
  const std::uint64_t part = shared_.layer_size / (shared_.options.threads * kThinParts);
  batch_ = shared_.options.threads == 1 ? kBatch : std::clamp<std::uint64_t>(part, kThinBatch, kBatch);
  const std::uint64_t room = std::max<std::uint64_t>(1, kTakeBytes / (words_ * sizeof(Word)));
  const std::uint64_t most = std::clamp<std::uint64_t>(share, 1, std::min(kTakeStates, room));
  std::vector<Word> sources(most * words_ + 1);
  std::size_t count = 0;
  while (!stopped() && (count = take(most, sources)) > 0)
    for (std::size_t i = 0; i < count && !stopped(); ++i)
      expand(sources.data() + i * words_, number_of(i));
  dispatch();
}

std::size_t Worker::take(std::size_t most, std::vector<Word>& sources) {
  if (shared_.sweep == nullptr)
    return shared_.set->take(id_, most, sources.data());
  const std::size_t count = shared_.sweep->take_numbered(most, sources.data(), first_number_);
  // A sweep knows only now that these are new.
  for (std::size_t i = 0; shared_.has_checks && i < count; ++i)
    check(sources.data() + i * words_, depth_ - 1, number_of(i));
  return count;
}

void Worker::expand(const Word* source, std::uint64_t number) {
  const std::size_t first = out_.size();
  model_->expand(source, out_);
  ++visited_;
  inspect(source, number, first);
  if (shared_.sweep != nullptr)
    note_source(number, first);
  if (out_.size() < batch_)
    return;
  dispatch();
  change_engine();
}

// Looks at the successors of one state, entries `first` and on: failures, deadlock, edges.
void Worker::inspect(const Word* source, std::uint64_t number, std::size_t first) {
  const std::size_t end = out_.size();
  std::size_t failures = 0;
  if (out_.failures() > 0) {
    for (std::size_t i = first; i < end; ++i) {
      if (!out_.failed(i))
        continue;
      ++failures;
      offer({depth_, Reason::kError, 0, {source, source + words_}, true, out_.command(i), number});
    }
  }
  edges_ += end - first - failures;
  errors_ += failures;
  deadlocks_ += end == first ? 1 : 0;
  if (shared_.options.deadlock == DeadlockMode::kOff || failures > 0)
    return;
  bool moves = false;
  for (std::size_t i = first; i < end && !moves; ++i)
    moves = shared_.options.deadlock == DeadlockMode::kStuck ||
            std::memcmp(out_.state(i), source, words_ * sizeof(Word)) != 0;
  if (!moves)
    offer({depth_ - 1, Reason::kDeadlock, 0, {source, source + words_}, false, 0, number});
}

// Looks up the collected successors, checks those that are new, and empties the buffer. Between keep_proper() and
// insert() the buffer holds the states to explore and nothing else: a reduction replaces them there, in place.
void Worker::dispatch() {
  keep_proper(out_);
  if (seen_)
    drop_known(*seen_);
  canonicalise(out_);
  if (recent_ && recent_->pays(out_.size()))
    drop_known(*recent_);
  fresh_.clear();
  if (shared_.sweep != nullptr)
    dispatch_steps();
  else if (!stopped() && !shared_.set->insert(id_, out_.state(0), out_.size(), fresh_))
    shared_.request_stop(shared_.set->trouble().is_ok() ? Stop::kMemory : Stop::kTrouble);
  if (shared_.has_checks)
    check_fresh();
  out_.clear();
  publish();
}

// A sweep wants to know of every successor how far it is and where it comes from.
void Worker::dispatch_steps() {
  keys_.resize(out_.size());
  model_->progress(out_.state(0), out_.size(), keys_.data());
  if (!stopped() && !shared_.sweep->insert_steps(id_, {out_.state(0), keys_, out_.raw()->commands, sources_}))
    shared_.request_stop(Stop::kTrouble);
  sources_.clear();
}

void Worker::note_source(std::uint64_t number, std::size_t first) {
  std::uint64_t successors = out_.size() - first;
  if (!out_.all_proper()) {
    successors = 0;
    for (std::size_t i = first; i < out_.size(); ++i)
      successors += out_.proper(i) ? 1U : 0U;
  }
  sources_.push_back({number, successors});
}

void Worker::make_caches() {
  const auto pages = [this](std::uint64_t most) {
    const std::uint64_t bytes = std::min(most, shared_.budget.available() / kSeenPart);
    return bytes < RecentStates::bytes_for(kSeenStatesMin, words_) ? PageBuffer()
                                                                   : PageBuffer::allocate(bytes, shared_.budget);
  };
  seen_.reset();
  recent_.reset();
  if (PageBuffer room = shared_.reduction ? pages(kSeenBytesMax) : PageBuffer(); room.data() != nullptr)
    seen_.emplace(shared_.program.state_bits, true, std::move(room));
  if (PageBuffer room = pages(kRecentBytesMax); room.data() != nullptr)
    recent_.emplace(words_, std::move(room));
}

// Drops the successors that are in the cache, and puts the others there. What this worker has dispatched before is in
// the set: as it is before the reduction, it is dropped at once, as to find its representative costs more than all the
// rest; as the set has it, since all threads write to that, and it may have to make a key of the state first.
template <typename Cache>
void Worker::drop_known(Cache& cache) {
  const std::size_t count = out_.size();
  hashes_.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    hashes_[i] = index_hash(out_.state(i), words_);
  for (std::size_t i = 0; i < std::min(kSeenAhead, count); ++i)
    cache.prefetch(hashes_[i]);
  keep_if(out_, [this, &cache, count](std::size_t i) {
    if (i + kSeenAhead < count)
      cache.prefetch(hashes_[i + kSeenAhead]);
    return !cache.test_and_set(hashes_[i], out_.state(i));
  });
}

void Worker::canonicalise(Successors& out) {
  for (std::size_t i = 0; representative_ && i < out.size(); ++i)
    if (out.proper(i))
      representative_->canonicalise(out.raw()->states + i * words_);
}

void Worker::check_fresh() {
  for (const std::uint32_t i : fresh_)
    check(out_.state(i), depth_, 0);
}

void Worker::check(const Word* state, std::uint64_t depth, std::uint64_t number) {
  const CheckResult result = model_->check(state);
  if (result.kind == CheckResult::Kind::kHolds)
    return;
  const Reason reason = result.kind == CheckResult::Kind::kViolated ? Reason::kInvariant : Reason::kError;
  offer({depth, reason, result.property, {state, state + words_}, false, 0, number});
}

void Worker::offer(Candidate candidate) {
  ends_search_ = ends_search_ || !shared_.options.error_is_state || !candidate.command_fails;
  if (!best_ || candidate < *best_)
    best_ = std::move(candidate);
}

void Worker::publish() {
  counters_.visited.store(visited_, std::memory_order_relaxed);
  counters_.edges.store(edges_, std::memory_order_relaxed);
  counters_.deadlocks.store(deadlocks_, std::memory_order_relaxed);
  counters_.errors.store(errors_, std::memory_order_relaxed);
  if (id_ == 0)
    shared_.tick();
}

}  // namespace tideline::bfs
