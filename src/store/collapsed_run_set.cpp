// SPDX-License-Identifier: MIT
#include "store/collapsed_run_set.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tideline {
namespace {

// The dictionaries have at most this part of the budget.
constexpr std::uint64_t kDictionaryPart = 32;
// Kept for dictionaries that grow: as much as they have, twice, and this, but not more than they may have.
constexpr std::uint64_t kReserveMin = std::uint64_t{128} << 10;
// States that are encoded at once when they are taken over.
constexpr std::size_t kAdopted = 512;
constexpr std::size_t kValuesBlock = std::size_t{16} << 10;
constexpr std::size_t kValuesPartBlocks = 1 << 16;
constexpr const char* kPartsName = "parts";

std::string width_name(std::size_t part) {
  return "width " + std::to_string(part);
}

// Which bits of a state each part has, in short.
std::uint64_t mark_of(const std::vector<StatePart>& parts) {
  std::vector<std::uint64_t> numbers;
  for (const StatePart& part : parts) {
    numbers.push_back(part.size());
    for (const BitOrder::Segment& segment : part)
      numbers.insert(numbers.end(), {segment.bit, segment.width});
  }
  return XXH3_64bits(numbers.data(), numbers.size() * sizeof(std::uint64_t));
}

std::string values_name(std::size_t part) {
  return "values " + std::to_string(part);
}

}  // namespace

CollapsedRunSet::CollapsedRunSet(const CollapsedRunSetOptions& options, Workdir& workdir, MemoryBudget& budget)
    : options_(options),
      workdir_(workdir),
      budget_(budget),
      code_(options.runs.state_bits, options.parts, options.runs.threads,
            options.dictionary_bytes_max != 0 ? options.dictionary_bytes_max : budget.total() / kDictionaryPart,
            budget),
      runs_(make_runs()),
      gate_(options.runs.threads, [](std::uint64_t) {}) {}

std::unique_ptr<RunSet> CollapsedRunSet::make_runs() const {
  RunSetOptions options = options_.runs;
  options.state_bits = code_.key_bits();
  return std::make_unique<RunSet>(options, workdir_, budget_);
}

Status CollapsedRunSet::trouble() const {
  const std::lock_guard lock(trouble_mutex_);
  return trouble_.is_ok() ? runs_->trouble() : trouble_;
}

// Keys are not longer than states and lie in their place, which leaves those behind them as they are.
Status CollapsedRunSet::adopt(Known what, Word* states, std::size_t count) {
  const std::size_t words = std::max<std::uint64_t>(1, (options_.runs.state_bits + 63) / 64);
  for (std::size_t made = 0; made < count;) {
    const std::size_t some = std::min(kAdopted, count - made);
    const Word* keys = code_.encode(0, states + made * words, some);
    if (keys == nullptr) {
      if (Status status = make_room({states, made}); !status.is_ok())
        return status;
      continue;
    }
    if (!code_.is_plain())
      std::memcpy(states + made * code_.key_words(), keys, some * code_.key_words() * sizeof(Word));
    made += some;
  }
  return runs_->adopt(what, states, count);
}

Status CollapsedRunSet::begin() {
  begun_ = true;
  keep_reserve();
  return runs_->begin();
}

void CollapsedRunSet::keep_reserve() {
  dictionary_bytes_.store(code_.bytes(), std::memory_order_relaxed);
  if (!code_.is_plain())
    reserve_ = PageBuffer::allocate(std::min({2 * code_.bytes() + kReserveMin, code_.bytes_max(), budget_.available()}),
                                    budget_);
}

bool CollapsedRunSet::insert(unsigned thread, const Word* states, std::size_t count,
                             std::vector<std::uint32_t>& fresh) {
  gate_.enter(thread);
  const Word* keys = nullptr;
  while (trouble().is_ok() && (keys = code_.encode(thread, states, count)) == nullptr)
    gate_.change(thread, [this] {
      change_code();
      return 0;
    });
  const bool done = trouble().is_ok() && runs_->insert(thread, keys, count, fresh);
  gate_.leave(thread);
  return done;
}

std::size_t CollapsedRunSet::take(unsigned thread, std::size_t most, Word* out) {
  gate_.enter(thread);
  std::size_t taken = 0;
  if (code_.is_plain()) {
    taken = trouble().is_ok() ? runs_->take(thread, most, out) : 0;
  } else {
    taken = trouble().is_ok() ? runs_->take(thread, most, code_.keys_to_decode(thread, most)) : 0;
    code_.decode(thread, taken, out);
  }
  gate_.leave(thread);
  return taken;
}

// Alone in the set.
void CollapsedRunSet::change_code() {
  const Status status = make_room({});
  const std::lock_guard lock(trouble_mutex_);
  if (trouble_.is_ok())
    trouble_ = status;
}

// For values that were refused. First where they are; then with all the memory of the set, and wider keys.
Status CollapsedRunSet::make_room(Keys made) {
  reserve_.reset();
  if (code_.make_room()) {
    if (begun_)
      keep_reserve();
    return Status::ok();
  }
  if (begun_)
    if (Status status = runs_->suspend(); !status.is_ok())
      return status;
  if (!code_.make_room())
    if (Status status = change_keys(made); !status.is_ok())
      return status;
  return begun_ ? begin() : Status::ok();
}

Status CollapsedRunSet::change_keys(Keys made) {
  Status status = runs_->finish_adopting();
  if (!status.is_ok())
    return status;
  const std::size_t old_words = code_.key_words();
  const bool wider = code_.change() == CollapseCode::Change::kWider;
  const auto rule = [this, wider](const Word* old, Word* now) {
    if (wider)
      code_.widen_key(old, now);
    else
      code_.old_state(old, now);
  };
  status = runs_->remap(code_.key_bits(), wider, rule);
  // They become no shorter and lie behind each other: from the last one on, none is written over before it is read.
  const std::size_t new_words = code_.key_words();
  std::vector<Word> old(old_words + 2);
  std::vector<Word> now(new_words + 1);
  for (std::size_t i = made.count; i-- > 0;) {
    std::copy_n(made.first + i * old_words, old_words, old.begin());
    rule(old.data(), now.data());
    std::copy_n(now.begin(), new_words, made.first + i * new_words);
  }
  code_.forget_old();
  return status;
}

Status CollapsedRunSet::save(SavedSet& out) {
  if (!code_.is_plain())
    if (Status status = save_values(out); !status.is_ok())
      return status;
  return runs_->save(out);
}

// The files of the last time are removed when the manifest no longer names them.
Status CollapsedRunSet::save_values(SavedSet& out) {
  auto log = std::make_unique<RecordLog>(workdir_, FileKind::kValues, "values", sizeof(std::uint64_t), kValuesBlock,
                                         kValuesPartBlocks);
  out.numbers[kPartsName] = mark_of(options_.parts);
  for (std::size_t part = 0; part < code_.parts(); ++part) {
    out.numbers[width_name(part)] = code_.width(part);
    out.numbers[values_name(part)] = code_.values(part);
    for (std::uint32_t number = 0; number < code_.values(part); ++number) {
      if (Status status = log->append_number(code_.value(part, number)); !status.is_ok())
        return status;
    }
  }
  std::vector<RecordLog::Part> files;
  if (Status status = log->save(files); !status.is_ok())
    return status;
  for (const RecordLog::Part& file : files)
    out.files.push_back({"values", file.name, file.records});
  values_ = std::move(log);
  return Status::ok();
}

Status CollapsedRunSet::load(const SavedSet& saved) {
  if (code_.is_plain() || !saved.numbers.contains(width_name(0)))
    code_.make_plain();
  else if (Status status = load_values(saved); !status.is_ok())
    return status;
  runs_ = make_runs();
  SavedSet runs = saved;
  std::erase_if(runs.files, [](const SavedSet::SavedFile& file) { return file.role == "values"; });
  return runs_->load(runs);
}

Status CollapsedRunSet::load_values(const SavedSet& saved) {
  if (!saved.numbers.contains(kPartsName) || saved.numbers.at(kPartsName) != mark_of(options_.parts))
    return Status::error(
        "the keys in the runs are of other parts than this program makes; the search must begin again");
  values_ = std::make_unique<RecordLog>(workdir_, FileKind::kValues, "values", sizeof(std::uint64_t), kValuesBlock,
                                        kValuesPartBlocks);
  std::vector<RecordLog::Part> files;
  for (const SavedSet::SavedFile& file : saved.files)
    if (file.role == "values")
      files.push_back({file.name, file.records});
  if (Status status = values_->load(files); !status.is_ok())
    return status;
  std::vector<unsigned> widths;
  for (std::size_t part = 0; part < code_.parts(); ++part) {
    const auto width = saved.numbers.find(width_name(part));
    const auto values = saved.numbers.find(values_name(part));
    if (width == saved.numbers.end() || width->second > CollapseCode::kWidthMost || values == saved.numbers.end())
      return Status::error("the manifest does not say how keys are made");
    widths.push_back(static_cast<unsigned>(width->second));
  }
  code_.set_widths(widths);
  RecordLog::Cursor cursor(*values_);
  for (std::size_t part = 0; part < code_.parts(); ++part)
    for (std::uint64_t left = saved.numbers.at(values_name(part)); left > 0; --left) {
      const Result<std::span<const std::uint8_t>> record = cursor.next(cursor.position() + 1);
      if (!record.is_ok())
        return record.status();
      std::uint64_t value = 0;
      if (record.value().size() != sizeof value)
        return Status::error("the manifest names more values than the files have");
      std::memcpy(&value, record.value().data(), sizeof value);
      if (!code_.add_value(part, value))
        return Status::error("the memory budget is too small for the values of a search; --memory raises it");
    }
  return Status::ok();
}

}  // namespace tideline
