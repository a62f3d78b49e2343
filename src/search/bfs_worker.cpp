// SPDX-License-Identifier: MIT
#include "search/bfs_worker.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "base/check.h"

namespace tideline::bfs {
namespace {

// Successors collected before they are hashed and looked up together.
constexpr std::size_t kBatch = 512;
// States per chunk that is sent to another owner.
constexpr std::size_t kChunkStates = 512;
// Chunks waiting at an owner above which a sender first does its own receiving.
constexpr std::size_t kMailboxHigh = 32;
// Empty chunks that a worker keeps for its own sending.
constexpr std::size_t kSpareChunks = 8;
// Memory for small objects: buffers, the native engine's code, thread stacks.
constexpr std::uint64_t kSmallObjects = std::uint64_t{6} << 20;
constexpr auto kTickInterval = std::chrono::milliseconds(50);

// What the process holds beside the visited set: what it held before, and the states on their way between owners.
std::uint64_t bytes_in_use(const ir::Program& program, unsigned threads) {
  const std::uint64_t chunk = kChunkStates * (program.state_words() + 1) * sizeof(Word);
  const std::uint64_t mail = threads == 1 ? 0 : threads * (kMailboxHigh + threads) * chunk;
  return resident_bytes() + kSmallObjects + mail;
}

void unite(std::vector<std::uint8_t>& all, const std::vector<std::uint8_t>& some) {
  for (std::size_t i = 0; i < some.size(); ++i)
    all[i] = static_cast<std::uint8_t>(all[i] | some[i]);
}

}  // namespace

Shared::Shared(const ir::Program& the_program, EngineSource& the_engines, const SearchOptions& the_options,
               const Monitor& the_monitor)
    : program(the_program),
      engines(the_engines),
      options(the_options),
      monitor(the_monitor),
      budget(options.memory_bytes, bytes_in_use(program, options.threads)),
      engine(&engines.current()),
      expanding(options.threads),
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
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void Shared::request_stop(Stop why) {
  Stop none = Stop::kNo;
  stop.compare_exchange_strong(none, why);
}

void Shared::end_layer() noexcept {
  std::uint64_t found = 0;
  bool violated = false;
  for (const auto& worker : workers) {
    worker->mark_layer();
    found += worker->last_layer_size();
    violated = violated || worker->best().has_value();
  }
  if (found > 0)
    ++depth;
  done = found == 0 || violated || stop.load() != Stop::kNo;
  expanding.store(static_cast<unsigned>(workers.size()));
}

Figures Shared::figures() const {
  Figures figures;
  std::uint64_t states = 0;
  std::uint64_t visited = 0;
  std::uint64_t edges = 0;
  std::uint64_t store_bytes = 0;
  for (const auto& worker : workers) {
    const Worker::Counters& counters = worker->counters();
    states += counters.states.load(std::memory_order_relaxed);
    visited += counters.visited.load(std::memory_order_relaxed);
    edges += counters.edges.load(std::memory_order_relaxed);
    store_bytes += counters.store_bytes.load(std::memory_order_relaxed);
  }
  figures.states = states;
  figures.visited = visited;
  figures.edges = edges;
  figures.frontier = states - std::min(states, visited);
  figures.levels = depth == 0 ? 0 : depth - 1;
  figures.state_bits = program.state_bits;
  figures.seconds = seconds();
  figures.peak_rss_bytes = peak_resident_bytes();
  figures.peak_states = states;
  figures.store_bytes = store_bytes;
  figures.memory_budget_bytes = budget.total();
  figures.omission_probability = 0.0;
  return figures;
}

void Shared::tick() {
  const Clock::time_point now = Clock::now();
  if (now - last_tick < kTickInterval)
    return;
  last_tick = now;
  if (monitor.interrupted != nullptr && monitor.interrupted->load(std::memory_order_relaxed))
    request_stop(Stop::kInterrupted);
  if (options.time_limit_seconds > 0 && seconds() > options.time_limit_seconds)
    request_stop(Stop::kTime);
  if (Engine* next = engines.poll())
    engine.store(next, std::memory_order_release);
  if (monitor.progress)
    monitor.progress(figures());
}

Worker::Worker(Shared& shared, unsigned id)
    : shared_(shared),
      id_(id),
      words_(shared.program.state_words()),
      table_(shared.program.state_bits, shared.budget),
      layers_{0},
      covered_before_(shared.program.covers.size(), 0),
      out_(words_) {
  for (unsigned i = 0; i < shared.options.threads; ++i)
    outboxes_.push_back(std::make_unique<StateChunk>());
  if (shared.reduction)
    representative_ = shared.reduction->make();
  change_engine();
}

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

void Worker::run() {
  if (id_ == 0)
    seed();
  finish_layer();
  while (!shared_.done) {
    depth_ = shared_.depth;
    expand_layer();
    finish_layer();
  }
}

void Worker::seed() {
  model_->initial(out_);
  for (std::size_t i = 0; out_.failures() > 0 && i < out_.size(); ++i)
    if (out_.failed(i))
      offer({1, Reason::kError, 0, {}, true, out_.command(i)});
  dispatch();
}

void Worker::expand_layer() {
  std::vector<Word> source(words_ + 1);
  const std::uint64_t end = layers_.back();
  for (std::uint64_t i = layers_[layers_.size() - 2]; i < end; ++i) {
    table_.states().load(i, source.data());
    const std::size_t first = out_.size();
    model_->expand(source.data(), out_);
    ++visited_;
    inspect(source.data(), first);
    if (out_.size() < kBatch)
      continue;
    dispatch();
    drain();
    publish();
    if (stopped())
      return;
    change_engine();
  }
  dispatch();
}

// Looks at the successors of one state, entries `first` and on: failures, deadlock, edges.
void Worker::inspect(const Word* source, std::size_t first) {
  const std::size_t end = out_.size();
  std::size_t failures = 0;
  if (out_.failures() > 0) {
    for (std::size_t i = first; i < end; ++i) {
      if (!out_.failed(i))
        continue;
      ++failures;
      offer({depth_, Reason::kError, 0, {source, source + words_}, true, out_.command(i)});
    }
  }
  edges_ += end - first - failures;
  if (shared_.options.deadlock == DeadlockMode::kOff || failures > 0)
    return;
  bool moves = false;
  for (std::size_t i = first; i < end && !moves; ++i)
    moves = shared_.options.deadlock == DeadlockMode::kStuck ||
            std::memcmp(out_.state(i), source, words_ * sizeof(Word)) != 0;
  if (!moves)
    offer({depth_ - 1, Reason::kDeadlock, 0, {source, source + words_}, false, 0});
}

// Sends the collected successors to their owners and empties the buffer.
void Worker::dispatch() {
  if (!out_.all_proper())
    keep_proper();
  const std::size_t count = out_.size();
  if (representative_)
    for (std::size_t i = 0; i < count; ++i)
      representative_->canonicalise(out_.raw()->states + i * words_);
  hashes_.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    hashes_[i] = hash_state(out_.state(i), words_);
  const auto owners = static_cast<unsigned>(outboxes_.size());
  if (owners == 1) {
    insert(out_.state(0), hashes_.data(), count, depth_);
  } else {
    own_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned owner = owner_of(hashes_[i], owners);
      StateChunk& chunk = owner == id_ ? own_ : *outboxes_[owner];
      chunk.add(out_.state(i), words_, hashes_[i]);
      if (owner != id_ && chunk.hashes.size() >= kChunkStates)
        post(owner);
    }
    own_.states.push_back(0);
    insert(own_.states.data(), own_.hashes.data(), own_.hashes.size(), depth_);
  }
  out_.clear();
}

// Closes the gaps that failed entries and those outside the assumptions leave.
void Worker::keep_proper() {
  tl_buffer* buffer = out_.raw();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < buffer->count; ++i) {
    if (!out_.proper(i))
      continue;
    std::memmove(buffer->states + kept * words_, buffer->states + i * words_, words_ * sizeof(Word));
    buffer->commands[kept++] = buffer->commands[i];
  }
  buffer->count = kept;
  buffer->failures = buffer->outside = 0;
}

void Worker::post(unsigned owner) {
  Mailbox& mailbox = shared_.workers[owner]->mailbox();
  while (mailbox.waiting() >= kMailboxHigh && !stopped()) {
    drain();
    std::this_thread::yield();
  }
  outboxes_[owner]->states.push_back(0);  // padding
  mailbox.post(std::move(outboxes_[owner]));
  if (spare_.empty()) {
    outboxes_[owner] = std::make_unique<StateChunk>();
  } else {
    outboxes_[owner] = std::move(spare_.back());
    spare_.pop_back();
  }
}

// Takes in what others have posted.
void Worker::drain() {
  mailbox_.collect(inbox_);
  for (auto& chunk : inbox_) {
    insert(chunk->states.data(), chunk->hashes.data(), chunk->hashes.size(), depth_);
    if (spare_.size() >= kSpareChunks)
      continue;  // who receives more than it sends would hoard the others' memory
    chunk->clear();
    spare_.push_back(std::move(chunk));
  }
  inbox_.clear();
}

void Worker::finish_layer() {
  for (unsigned owner = 0; owner < outboxes_.size(); ++owner)
    if (owner != id_ && !outboxes_[owner]->hashes.empty())
      post(owner);
  shared_.expanding.fetch_sub(1, std::memory_order_acq_rel);
  while (shared_.expanding.load(std::memory_order_acquire) > 0) {
    drain();
    if (id_ == 0)
      shared_.tick();
    std::this_thread::yield();
  }
  drain();
  publish();
  shared_.barrier.arrive_and_wait();
}

// Adds candidates to this worker's table and checks those that are new.
void Worker::insert(const Word* states, const std::uint64_t* hashes, std::size_t count, std::uint64_t depth) {
  fresh_.clear();
  if (!stopped() && !table_.insert(states, hashes, count, fresh_))
    shared_.request_stop(Stop::kMemory);
  if (!shared_.has_checks)
    return;
  for (const std::uint32_t i : fresh_) {
    const Word* state = states + i * words_;
    const CheckResult result = model_->check(state);
    if (result.kind == CheckResult::Kind::kHolds)
      continue;
    const Reason reason = result.kind == CheckResult::Kind::kViolated ? Reason::kInvariant : Reason::kError;
    offer({depth, reason, result.property, {state, state + words_}, false, 0});
  }
}

void Worker::offer(Candidate candidate) {
  if (!best_ || candidate < *best_)
    best_ = std::move(candidate);
}

void Worker::publish() {
  counters_.states.store(table_.states().size(), std::memory_order_relaxed);
  counters_.visited.store(visited_, std::memory_order_relaxed);
  counters_.edges.store(edges_, std::memory_order_relaxed);
  counters_.store_bytes.store(table_.bytes(), std::memory_order_relaxed);
  if (id_ == 0)
    shared_.tick();
}

}  // namespace tideline::bfs
