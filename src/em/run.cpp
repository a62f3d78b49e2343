// SPDX-License-Identifier: MIT
#include "em/run.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "em/state_order.h"

namespace tideline {
namespace {

constexpr std::size_t kFirstChunk = std::size_t{4} << 10;
constexpr std::size_t kLargestChunk = std::size_t{256} << 10;
constexpr std::size_t kBehind = 8;  // readable bytes behind a block

int compare_key(const std::uint8_t* key, const Word* state, std::size_t words) {
  for (std::size_t i = words; i-- > 0;) {
    Word word = 0;
    std::memcpy(&word, key + i * sizeof word, sizeof word);
    if (word != state[i])
      return word < state[i] ? -1 : 1;
  }
  return 0;
}

std::uint64_t stored_bytes(const BlockIndex& index) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < index.size(); ++i)
    bytes += index[i].stored_bytes;
  return bytes;
}

}  // namespace

Run::Run(Workdir& workdir, RunMemory* memory, std::size_t words)
    : workdir_(workdir), memory_(memory), words_(words), index_(words * sizeof(Word)) {}

Run::~Run() {
  free_chunks();
  reader_.reset();
  if (!name_.empty())
    (void)workdir_.remove_file(name_);
}

void Run::free_chunks() {
  for (const PageBuffer& chunk : chunks_)
    memory_->release(chunk.size());
  chunks_.clear();
  images_.clear();
}

Result<std::shared_ptr<Run>> Run::open(Workdir& workdir, const std::string& name, std::size_t words) {
  Result<std::unique_ptr<BlockFileReader>> reader =
      BlockFileReader::open(workdir, name, FileKind::kRun, words * sizeof(Word));
  if (!reader.is_ok())
    return reader.status();
  std::shared_ptr<Run> run(new Run(workdir, nullptr, words));
  run->name_ = name;
  run->synced_ = true;
  run->reader_ = std::move(reader.value());
  run->bytes_ = stored_bytes(run->index());
  return run;
}

std::shared_ptr<Run> Run::from_automaton(Workdir& workdir, RunMemory& memory, std::unique_ptr<StateAutomaton> automaton,
                                         std::uint64_t block_bytes) {
  std::shared_ptr<Run> run(new Run(workdir, &memory, automaton->words()));
  run->automaton_ = std::move(automaton);
  run->bytes_ = block_bytes;
  return run;
}

Status Run::write_file(bool sync) {
  const std::string name = workdir_.fresh_name("run");
  Result<std::unique_ptr<BlockFileWriter>> writer =
      BlockFileWriter::create(workdir_, name, FileKind::kRun, words_ * sizeof(Word));
  if (!writer.is_ok())
    return writer.status();
  name_ = name;
  Status status = automaton_ ? write_automaton(*writer.value()) : write_blocks(*writer.value());
  if (!status.is_ok())
    return status;
  workdir_.counts().state_writes.fetch_add(records(), std::memory_order_relaxed);
  status = writer.value()->finish(sync);
  synced_ = sync && status.is_ok();
  return status;
}

Status Run::write_blocks(BlockFileWriter& writer) {
  for (std::size_t i = 0; i < index_.size(); ++i) {
    const std::size_t bytes = kBlockHeaderBytes + index_[i].stored_bytes;
    if (Status status = writer.add_image({images_[i], bytes}, index_[i], index_.key(i)); !status.is_ok())
      return status;
  }
  return Status::ok();
}

Status Run::write_automaton(BlockFileWriter& writer) {
  RunBlockBuilder block(words_, run_block_bytes(records(), words_, memory_->index_bytes_max()));
  StateAutomatonCursor cursor(*automaton_);
  for (cursor.begin(); !cursor.at_end();) {
    block.add(cursor.state());
    cursor.next();
    if (!block.full() && !cursor.at_end())
      continue;
    if (Status status = writer.add(block.finish(), block.records(), block.key()); !status.is_ok())
      return status;
    block.clear();
  }
  return Status::ok();
}

Status Run::save() {
  if (name_.empty())
    return write_file(true);
  if (synced_)
    return Status::ok();
  Result<std::unique_ptr<File>> file = workdir_.open_file(name_);
  if (!file.is_ok())
    return file.status();
  Status status = file.value()->sync();
  synced_ = status.is_ok();
  return status;
}

Status Run::move_to_file() {
  if (!in_ram())
    return Status::ok();
  if (reader_ != nullptr) {  // it was loaded
    free_chunks();
    return Status::ok();
  }
  if (name_.empty())
    if (Status status = write_file(false); !status.is_ok())
      return status;
  Result<std::unique_ptr<BlockFileReader>> reader =
      automaton_ ? BlockFileReader::open(workdir_, name_, FileKind::kRun, words_ * sizeof(Word))
                 : BlockFileReader::open(workdir_, name_, std::move(index_));
  if (!reader.is_ok())
    return reader.status();
  reader_ = std::move(reader.value());
  bytes_ = stored_bytes(index());
  free_chunks();
  automaton_.reset();
  return Status::ok();
}

// All memory first: what turns out to have no room, because of headers and whole pages, is not read for nothing.
Status Run::load(RunMemory& memory) {
  if (in_ram() || reader_ == nullptr || !memory.has_room(bytes_))
    return Status::ok();
  memory_ = &memory;
  const BlockIndex& blocks = index();
  const auto end_of = [&blocks](std::size_t i) {
    return blocks[i].offset + kBlockHeaderBytes + blocks[i].stored_bytes;
  };
  std::vector<std::size_t> borders = {0};  // of the chunks, in blocks
  for (std::size_t begin = 0; begin < blocks.size(); begin = borders.back()) {
    std::size_t end = begin + 1;
    while (end < blocks.size() && end_of(end) - blocks[begin].offset <= kLargestChunk)
      ++end;
    PageBuffer chunk = memory.allocate(end_of(end - 1) - blocks[begin].offset);
    if (chunk.data() == nullptr) {
      free_chunks();
      return Status::ok();
    }
    chunks_.push_back(std::move(chunk));
    borders.push_back(end);
  }
  Status status;
  for (std::size_t i = 0; i < chunks_.size() && status.is_ok(); ++i)
    status = load_blocks(borders[i], borders[i + 1], chunks_[i].data());
  if (!status.is_ok())
    free_chunks();
  return status;
}

Status Run::load_blocks(std::size_t begin, std::size_t end, std::uint8_t* to) {
  std::vector<std::uint8_t> stored;
  if (Status status = reader_->read_images(begin, end - begin, stored); !status.is_ok())
    return status;
  std::vector<std::uint8_t> raw;
  std::uint64_t records = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t at = index()[i].offset - index()[begin].offset;
    raw.resize(index()[i].raw_bytes + kBehind);
    if (Status status = reader_->open_image(i, stored.data() + at, raw.data()); !status.is_ok())  // R3
      return status;
    images_.push_back(to + at);
    records += index()[i].records;
  }
  std::memcpy(to, stored.data(), stored.size());
  workdir_.counts().state_reads.fetch_add(records, std::memory_order_relaxed);
  return Status::ok();
}

RunBuilder::RunBuilder(Workdir& workdir, RunMemory& memory, std::size_t words, std::uint64_t expected,
                       std::uint32_t block_records_max)
    : workdir_(workdir),
      memory_(memory),
      run_(new Run(workdir, &memory, words)),
      block_(words, run_block_bytes(expected, words, memory.index_bytes_max())),
      block_records_max_(block_records_max) {}

Status RunBuilder::close_block() {
  image_.clear();
  const BlockInfo block = append_block_image(block_.finish(), block_.records(), offset_, image_);
  offset_ += image_.size();
  Status status;
  if (writer_ == nullptr)
    status = add_to_ram(image_, block);
  else
    status = writer_->add_image(image_, block, block_.key());
  if (writer_ == nullptr)
    run_->index_.add(block, block_.key());
  run_->bytes_ += block.stored_bytes;
  if (writer_ != nullptr)
    workdir_.counts().state_writes.fetch_add(block_.records(), std::memory_order_relaxed);
  block_.clear();
  return status;
}

Status RunBuilder::add_to_ram(const std::vector<std::uint8_t>& image, const BlockInfo& block) {
  std::vector<PageBuffer>& chunks = run_->chunks_;
  if (chunks.empty() || chunk_used_ + image.size() > chunks.back().size()) {
    const std::size_t doubled = chunks.empty() ? kFirstChunk : 2 * chunks.back().size();
    PageBuffer chunk = memory_.allocate(std::max(std::min(doubled, kLargestChunk), image.size()));
    if (chunk.data() == nullptr) {
      if (Status status = change_to_file(); !status.is_ok())
        return status;
      return writer_->add_image(image, block, block_.key());
    }
    chunks.push_back(std::move(chunk));
    chunk_used_ = 0;
  }
  std::uint8_t* to = chunks.back().data() + chunk_used_;
  std::memcpy(to, image.data(), image.size());
  chunk_used_ += image.size();
  run_->images_.push_back(to);
  return Status::ok();
}

// There is no more memory: what there is of the run goes to a file, and the rest follows it there.
Status RunBuilder::change_to_file() {
  run_->name_ = workdir_.fresh_name("run");
  Result<std::unique_ptr<BlockFileWriter>> writer =
      BlockFileWriter::create(workdir_, run_->name_, FileKind::kRun, run_->words_ * sizeof(Word));
  if (!writer.is_ok())
    return writer.status();
  writer_ = std::move(writer.value());
  const BlockIndex& index = run_->index_;
  for (std::size_t i = 0; i < run_->images_.size(); ++i) {
    const std::size_t bytes = kBlockHeaderBytes + index[i].stored_bytes;
    if (Status status = writer_->add_image({run_->images_[i], bytes}, index[i], index.key(i)); !status.is_ok())
      return status;
  }
  workdir_.counts().state_writes.fetch_add(index.records(), std::memory_order_relaxed);
  run_->free_chunks();
  run_->index_ = BlockIndex(index.key_bytes());
  return Status::ok();
}

Result<RunPointer> RunBuilder::finish() {
  if (block_.records() > 0)
    if (Status status = close_block(); !status.is_ok())
      return status;
  run_->index_.shrink_to_fit();
  if (writer_ != nullptr) {
    if (Status status = writer_->finish(false); !status.is_ok())
      return status;
    Result<std::unique_ptr<BlockFileReader>> reader =
        BlockFileReader::open(workdir_, run_->name_, writer_->take_index());
    writer_.reset();
    if (!reader.is_ok())
      return reader.status();
    run_->reader_ = std::move(reader.value());
  } else if (!run_->chunks_.empty()) {
    const std::size_t before = run_->chunks_.back().size();
    run_->chunks_.back().shrink(chunk_used_);
    memory_.release(before - run_->chunks_.back().size());
  }
  return run_;
}

RunCursor::RunCursor(RunPointer run, std::size_t read_ahead_bytes)
    : run_(std::move(run)), read_ahead_bytes_(read_ahead_bytes), cursor_(run_->words()) {
  if (run_->automaton_ != nullptr)
    automaton_.emplace(*run_->automaton_);
}

RunCursor::~RunCursor() {
  run_->workdir_.counts().state_reads.fetch_add(states_read_, std::memory_order_relaxed);
}

void RunCursor::open_block(std::size_t block) {
  block_ = block;
  opened_ = true;
  if (at_end())
    return;
  const BlockInfo& info = run_->index()[block];
  raw_.resize(info.raw_bytes + kBehind);
  if (run_->in_ram()) {
    status_ = open_block_image(run_->image(block), info, false, raw_.data());
  } else if (read_images(block)) {
    const std::uint64_t begin = run_->index()[first_image_].offset;
    status_ = run_->reader_->open_image(block, images_.data() + (info.offset - begin), raw_.data());
    states_read_ += info.records;
  }
  if (!status_.is_ok()) {
    block_ = run_->index().size();
    return;
  }
  cursor_.open(raw_.data(), info.records);
}

// Sees to it that the block's image is in images_.
bool RunCursor::read_images(std::size_t block) {
  if (block >= first_image_ && block < end_image_)
    return true;
  const BlockIndex& index = run_->index();
  at_once_ = block == end_image_ ? 2 * at_once_ : 1;
  const std::size_t most = std::min(index.size(), block + at_once_);
  std::size_t end = block + 1;
  while (end < most && index[end].offset + index[end].stored_bytes - index[block].offset < read_ahead_bytes_)
    ++end;
  status_ = run_->reader_->read_images(block, end - block, images_);
  first_image_ = block;
  end_image_ = end;
  return status_.is_ok();
}

bool RunCursor::seek(const Word* key) {
  CHECK(!automaton_);
  if (at_end())
    return false;
  const BlockIndex& index = run_->index();
  const std::size_t words = run_->words();
  // The last block whose first state is not above the key: it is near more often than not.
  std::size_t low = block_;
  std::size_t step = 1;
  while (low + step < index.size() && compare_key(index.key(low + step), key, words) <= 0) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(low + step, index.size());
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (compare_key(index.key(middle), key, words) <= 0 ? low : high) = middle;
  }
  if (low != block_ || !opened_)
    open_block(low);
  if (at_end())
    return false;
  cursor_.seek(key);
  if (cursor_.at_end())
    open_block(block_ + 1);
  return !at_end() && compare_states(cursor_.state(), key, words) == 0;
}

}  // namespace tideline
