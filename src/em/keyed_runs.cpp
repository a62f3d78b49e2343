// SPDX-License-Identifier: MIT
#include "em/keyed_runs.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace tideline {
namespace {

// What is left of a run.
class Rest final : public SortedSource {
 public:
  explicit Rest(std::unique_ptr<RunCursor> cursor) : cursor_(std::move(cursor)) {}
  [[nodiscard]] const Word* first() override { return cursor_->at_end() ? nullptr : cursor_->state(); }
  const Word* next() override {
    cursor_->next();
    return first();
  }
  [[nodiscard]] Status status() const override { return cursor_->status(); }

 private:
  std::unique_ptr<RunCursor> cursor_;
};

std::uint64_t first_key(const Run& run) {
  std::uint64_t key = 0;
  std::memcpy(&key, run.index().key(0) + (run.words() - 1) * sizeof(Word), sizeof key);
  return key;
}

}  // namespace

void KeyedRuns::add(RunPointer run, unsigned level) {
  if (run->records() == 0)
    return;
  const std::uint64_t records = run->records();
  const std::uint64_t key = first_key(*run);
  size_ += records;
  File file;
  file.next_key = key;
  file.level = level;
  file.run = std::move(run);
  file.left = records;
  files_.push_back(std::move(file));
  std::push_heap(files_.begin(), files_.end(), later);
}

std::size_t KeyedRuns::runs_of_level(unsigned level) const {
  return static_cast<std::size_t>(
      std::count_if(files_.begin(), files_.end(), [level](const File& file) { return file.level == level; }));
}

void KeyedRuns::note_block(File& file) {
  const std::uint64_t now = file.cursor->at_end() ? 0 : file.cursor->left_in_block();
  buffered_ += now - file.buffered;
  file.buffered = now;
}

Status KeyedRuns::take(std::uint64_t key, const Take& take) {
  while (!files_.empty() && files_.front().next_key <= key) {
    std::pop_heap(files_.begin(), files_.end(), later);
    File& file = files_.back();
    const std::uint64_t before = file.left;
    if (Status status = take_from(file, key, take); !status.is_ok())
      return status;
    size_ -= before - file.left;
    if (file.cursor->at_end()) {
      size_ -= file.left;
      files_.pop_back();
    } else {
      std::push_heap(files_.begin(), files_.end(), later);
    }
  }
  return Status::ok();
}

Status KeyedRuns::take_from(File& file, std::uint64_t key, const Take& take) {
  const std::size_t top = file.run->words() - 1;
  if (file.cursor == nullptr)
    file.cursor = std::make_unique<RunCursor>(file.run, read_ahead_bytes_);
  RunCursor& cursor = *file.cursor;
  if (file.next_key < key) {
    std::vector<Word> first(top + 1);
    first[top] = key;
    cursor.seek(first.data());
    file.is_sparse = true;
  } else if (!file.is_open) {
    cursor.begin();
  }
  file.is_open = true;
  for (; !cursor.at_end() && cursor.state()[top] == key; cursor.next()) {
    file.left -= std::min<std::uint64_t>(file.left, 1);
    if (Status status = take(cursor.state()); !status.is_ok())
      return status;
  }
  if (!cursor.status().is_ok())
    return cursor.status();
  note_block(file);
  if (!cursor.at_end())
    file.next_key = cursor.state()[top];
  else
    CHECK(file.left == 0 || file.is_sparse);
  return Status::ok();
}

std::vector<std::unique_ptr<SortedSource>> KeyedRuns::as_sources(std::vector<File> files) {
  std::vector<std::unique_ptr<SortedSource>> sources;
  for (File& file : files) {
    size_ -= file.left;
    buffered_ -= file.buffered;
    if (!file.is_open) {
      file.cursor = std::make_unique<RunCursor>(file.run, read_ahead_bytes_);
      file.cursor->begin();
    }
    sources.push_back(std::make_unique<Rest>(std::move(file.cursor)));
  }
  return sources;
}

std::vector<std::unique_ptr<SortedSource>> KeyedRuns::remove_level(unsigned level) {
  const auto others =
      std::partition(files_.begin(), files_.end(), [level](const File& file) { return file.level != level; });
  std::vector<File> out(std::make_move_iterator(others), std::make_move_iterator(files_.end()));
  files_.erase(others, files_.end());
  std::make_heap(files_.begin(), files_.end(), later);
  return as_sources(std::move(out));
}

void KeyedRuns::clear() {
  files_.clear();
  size_ = buffered_ = 0;
}

std::vector<RunPointer> KeyedRuns::pointers() const {
  std::vector<RunPointer> runs;
  for (const File& file : files_)
    runs.push_back(file.run);
  return runs;
}

}  // namespace tideline
