// SPDX-License-Identifier: MIT
// Background writing and reading ahead: the same bytes as without, errors that arrive, and no thread for small files.
#include "io/async_file.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "fault/io_support.h"
#include "io/block_file.h"
#include "io/read_ahead.h"
#include "io/workdir.h"

namespace tideline {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string random_text(std::mt19937_64& random, std::size_t bytes) {
  std::string text(bytes, '\0');
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t noise = random();
    std::memcpy(text.data() + at, &noise, std::min(sizeof noise, bytes - at));
  }
  return text;
}

std::unique_ptr<File> make_async(Env& env, const std::string& path, IoThread& thread) {
  Result<std::unique_ptr<File>> file = env.create(path);
  EXPECT_TRUE(succeeds(file));
  return std::make_unique<AsyncFile>(std::move(file.value()), thread);
}

TEST(IoThread, DoesJobsInOrderAndAllBeforeItsEnd) {
  std::vector<int> done;
  {
    IoThread thread;
    EXPECT_FALSE(thread.started());
    for (int i = 0; i < 100; ++i)
      (void)thread.submit([&done, i] {
        done.push_back(i);
        return Status::ok();
      });
    EXPECT_TRUE(thread.started());
    EXPECT_TRUE(fails_with(thread.submit([] { return Status::error("no"); }).get(), "no"));
  }
  EXPECT_EQ(done.size(), 100U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

TEST(AsyncFile, SmallFilesNeedNoThread) {
  const Place place(EnvKind::kMemory);
  IoThread thread;
  const std::unique_ptr<File> file = make_async(place.env(), place.path("a"), thread);
  const std::string text(AsyncFile::kBufferBytes - 1, 'x');
  ASSERT_TRUE(succeeds(file->append(text.data(), text.size())));
  ASSERT_TRUE(succeeds(file->sync()));
  EXPECT_FALSE(thread.started());
  EXPECT_EQ(read_file(place.env(), place.path("a"), text.size()).value(), text);
}

class AsyncFileTest : public testing::TestWithParam<EnvKind> {};

INSTANTIATE_TEST_SUITE_P(All, AsyncFileTest, testing::Values(EnvKind::kReal, EnvKind::kDirect, EnvKind::kMemory),
                         [](const auto& about) { return name_of(about.param); });

// Three files over one thread against strings; sizes around the borders of the buffers.
TEST_P(AsyncFileTest, AgreesWithStrings) {
  const Place place(GetParam());
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    IoThread thread;
    std::vector<std::unique_ptr<File>> files;
    std::vector<std::string> models(3);
    for (std::size_t i = 0; i < models.size(); ++i)
      files.push_back(make_async(place.env(), place.path(std::to_string(i)), thread));
    for (int step = 0; step < 60; ++step) {
      const std::size_t i = random() % models.size();
      const std::size_t sizes[] = {random() % 100, random() % 200000, AsyncFile::kBufferBytes - 1 + random() % 3,
                                   2 * AsyncFile::kBufferBytes + random() % 2,
                                   AsyncFile::kBufferBytes - models[i].size() % AsyncFile::kBufferBytes};
      if (random() % 5 != 0) {
        const std::string text = random_text(random, sizes[random() % 5]);
        ASSERT_TRUE(succeeds(files[i]->append(text.data(), text.size())));
        models[i] += text;
      } else if (random() % 2 == 0) {
        const std::size_t offset = random() % (models[i].size() + 1);
        std::string text(std::min(sizes[random() % 5], models[i].size() - offset), '\0');
        ASSERT_TRUE(succeeds(files[i]->read(offset, text.data(), text.size())));
        ASSERT_TRUE(text == models[i].substr(offset, text.size()));
      } else {
        ASSERT_TRUE(succeeds(files[i]->flush()));
        const Result<std::string> there = read_file(place.env(), place.path(std::to_string(i)), models[i].size());
        ASSERT_TRUE(there.is_ok() && there.value() == models[i]) << "through another file";
      }
      ASSERT_EQ(files[i]->size(), models[i].size());
    }
    files.clear();
    for (std::size_t i = 0; i < models.size(); ++i)
      ASSERT_TRUE(read_file(place.env(), place.path(std::to_string(i)), models[i].size()).value() == models[i]);
  }
}

TEST(AsyncFile, AnErrorOfTheBackgroundIsTheNextCalls) {
  const std::string text(AsyncFile::kBufferBytes, 'x');
  for (int call = 0; call < 4; ++call) {
    FaultyEnv env;
    IoThread thread;
    const std::unique_ptr<File> file = make_async(env, "/tmp/a", thread);
    env.plan(env.steps() + 1, Fault::kNoSpace);
    ASSERT_TRUE(succeeds(file->append(text.data(), text.size()))) << "it is only handed over";
    char byte = 0;
    const auto next = [&]() -> Status {
      switch (call) {
        case 0:
          return file->append(text.data(), text.size());
        case 1:
          return file->flush();
        case 2:
          return file->read(0, &byte, 1);
        default:
          return file->sync();
      }
    };
    EXPECT_TRUE(fails_with(next(), "cannot write /tmp/a at byte 0: No space left")) << call;
    EXPECT_TRUE(fails_with(file->append("x", 1), "No space left")) << "and of all after it";
    EXPECT_TRUE(fails_with(file->sync(), "No space left"));
    EXPECT_EQ(env.contents("/tmp/a"), "") << "nothing is written behind the gap";
  }
}

// The search sees a full disk at the latest when it finishes the file.
TEST(AsyncFile, FaultsReachTheWriterOfABlockFile) {
  std::mt19937_64 random(1);
  const std::string noise = random_text(random, 100000);
  const std::span<const std::uint8_t> raw(reinterpret_cast<const std::uint8_t*>(noise.data()), noise.size());
  const auto write = [&](Workdir& workdir, bool sync) {
    Result<std::unique_ptr<BlockFileWriter>> writer = BlockFileWriter::create(workdir, "run-000000", FileKind::kRun, 4);
    if (!writer.is_ok())
      return writer.status();
    for (int i = 0; i < 12; ++i)
      if (Status status = writer.value()->add(raw, 1, raw.data()); !status.is_ok())
        return status;
    return writer.value()->finish(sync);
  };
  FaultyEnv counting;
  counting.allow_background();
  {
    Workdir workdir(counting, "/tmp/w", 0);
    ASSERT_TRUE(succeeds(write(workdir, false)));
    EXPECT_TRUE(workdir.io_thread()->started());
    workdir.keep(true);
  }
  for (const bool sync : {false, true})
    for (std::uint64_t step = 1; step <= counting.steps() + (sync ? 1 : 0); ++step) {
      FaultyEnv env;
      env.allow_background();
      Workdir workdir(env, "/tmp/w", 0);
      env.plan(step, Fault::kNoSpace);
      EXPECT_TRUE(fails_with(write(workdir, sync), "No space left")) << step;
    }
}

TEST(AsyncFile, TheLimitIsKeptBeforeTheThread) {
  const Place place(EnvKind::kReal);
  Workdir workdir(place.env(), place.path("w"), 1 << 20);
  Result<std::unique_ptr<File>> file = workdir.create_file("run-000000");
  ASSERT_TRUE(succeeds(file));
  const std::string text(300000, 'x');
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(succeeds(file.value()->append(text.data(), text.size())));
  EXPECT_TRUE(file.value()->append(text.data(), text.size()).is_limit());
  EXPECT_EQ(file.value()->size(), 900000U);
  ASSERT_TRUE(succeeds(file.value()->sync()));
  EXPECT_EQ(read_file(place.env(), place.path("w/run-000000"), 900000).value().size(), 900000U);
}

// --- Reading ahead ---

class ReadAheadTest : public testing::TestWithParam<EnvKind> {
 protected:
  ReadAheadTest() : place_(GetParam()), workdir_(place_.env(), place_.path("w"), 0) {
    std::mt19937_64 random(2);
    Result<std::unique_ptr<BlockFileWriter>> writer =
        BlockFileWriter::create(workdir_, "run-000000", FileKind::kRun, 1);
    EXPECT_TRUE(succeeds(writer));
    for (int i = 0; i < 60; ++i) {
      const std::string text = random_text(random, random() % (i % 10 == 0 ? 20000 : 500));
      blocks_.emplace_back(text.begin(), text.end());
      EXPECT_TRUE(succeeds(writer.value()->add(blocks_.back(), 1, reinterpret_cast<const std::uint8_t*>("k"))));
    }
    EXPECT_TRUE(succeeds(writer.value()->finish(false)));
    Result<std::unique_ptr<BlockFileReader>> reader = BlockFileReader::open(workdir_, "run-000000", FileKind::kRun, 1);
    EXPECT_TRUE(succeeds(reader));
    reader_ = std::move(reader.value());
  }
  void expect_block(ReadAhead& ahead, std::size_t i) {
    const Result<const std::uint8_t*> image = ahead.image(i);
    ASSERT_TRUE(succeeds(image));
    Bytes raw(blocks_[i].size());
    ASSERT_TRUE(succeeds(reader_->open_image(i, image.value(), raw.data())));
    ASSERT_TRUE(raw == blocks_[i]) << i;
  }

  Place place_;
  Workdir workdir_;
  IoThread thread_;
  std::vector<Bytes> blocks_;
  std::unique_ptr<BlockFileReader> reader_;
};

INSTANTIATE_TEST_SUITE_P(All, ReadAheadTest, testing::Values(EnvKind::kReal, EnvKind::kDirect, EnvKind::kMemory),
                         [](const auto& about) { return name_of(about.param); });

TEST_P(ReadAheadTest, GivesEveryBlock) {
  for (IoThread* thread : {&thread_, static_cast<IoThread*>(nullptr)})
    for (const std::size_t chunk_bytes : {0U, 100U, 1000U, 5000U, 1000000U}) {
      const std::uint64_t before = workdir_.counts().bytes_read;
      ReadAhead ahead(*reader_, thread, blocks_.size(), chunk_bytes);
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        ASSERT_NO_FATAL_FAILURE(expect_block(ahead, i)) << chunk_bytes;
        ASSERT_NO_FATAL_FAILURE(expect_block(ahead, i)) << "twice";
      }
      const BlockInfo& last = reader_->index()[blocks_.size() - 1];
      EXPECT_EQ(workdir_.counts().bytes_read - before,
                last.offset + kBlockHeaderBytes + last.stored_bytes - kFileHeaderBytes)
          << "each byte once";
    }
}

TEST_P(ReadAheadTest, MayJump) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 50; ++round) {
    const std::size_t end = 1 + random() % blocks_.size();
    ReadAhead ahead(*reader_, &thread_, end, random() % 5000);
    for (std::size_t i = random() % 10; i < end; i += 1 + (random() % 4 == 0 ? random() % 10 : 0))
      ASSERT_NO_FATAL_FAILURE(expect_block(ahead, i));
    ASSERT_NO_FATAL_FAILURE(expect_block(ahead, random() % end)) << "back";
  }
}

TEST(ReadAhead, DoesNotReadBehindItsEndAndReportsErrors) {
  FaultyEnv env;
  env.allow_background();
  Workdir workdir(env, "/tmp/w", 0);
  Result<std::unique_ptr<BlockFileWriter>> writer = BlockFileWriter::create(workdir, "run-000000", FileKind::kRun, 1);
  ASSERT_TRUE(succeeds(writer));
  const Bytes raw = {1, 2, 3};
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(succeeds(writer.value()->add(raw, 1, raw.data())));
  ASSERT_TRUE(succeeds(writer.value()->finish(false)));
  Result<std::unique_ptr<BlockFileReader>> reader =
      BlockFileReader::open(workdir, "run-000000", writer.value()->take_index());
  ASSERT_TRUE(succeeds(reader));
  const std::string good = env.contents("/tmp/w/run-000000");
  env.set_contents("/tmp/w/run-000000", good.substr(0, kFileHeaderBytes + 5 * 27));
  ReadAhead five(*reader.value(), workdir.io_thread(), 5, 2 * 27);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_TRUE(succeeds(five.image(i)));
  ReadAhead ten(*reader.value(), workdir.io_thread(), 10, 2 * 27);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_TRUE(succeeds(ten.image(i)));
  EXPECT_TRUE(fails_with(ten.image(4), "/tmp/w/run-000000 ends at byte"));
  EXPECT_TRUE(fails_with(ten.image(4), "/tmp/w/run-000000 ends at byte")) << "again";
  env.set_contents("/tmp/w/run-000000", good);
  for (std::size_t i = 4; i < 10; ++i)
    EXPECT_TRUE(succeeds(ten.image(i))) << "an error is not for ever";
}

}  // namespace
}  // namespace tideline
