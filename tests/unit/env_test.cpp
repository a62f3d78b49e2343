// SPDX-License-Identifier: MIT
// What every Env promises: the machine's, with and without direct I/O, and the one in memory.
#include "io/env.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <random>
#include <thread>

#include "fault/io_support.h"

namespace tideline {
namespace {

class EnvTest : public testing::TestWithParam<EnvKind> {
 protected:
  EnvTest() : place_(GetParam()), env_(place_.env()) {}
  [[nodiscard]] std::string contents(const std::string& name) const {
    const Result<std::string> text = read_file(env_, place_.path(name), std::uint64_t{1} << 30);
    EXPECT_TRUE(succeeds(text));
    return text.is_ok() ? text.value() : "";
  }
  [[nodiscard]] bool is_real() const { return GetParam() != EnvKind::kMemory; }

  Place place_;
  Env& env_;
};

INSTANTIATE_TEST_SUITE_P(All, EnvTest, testing::Values(EnvKind::kReal, EnvKind::kDirect, EnvKind::kMemory),
                         [](const auto& about) { return name_of(about.param); });

std::string random_text(std::mt19937_64& random, std::size_t bytes) {
  std::string text(bytes, '\0');
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t noise = random();
    std::memcpy(text.data() + at, &noise, std::min(sizeof noise, bytes - at));
  }
  return text;
}

mode_t mode_of(const std::string& path) {
  struct stat about {};
  EXPECT_EQ(::stat(path.c_str(), &about), 0) << path;
  return about.st_mode & 07777;
}

TEST_P(EnvTest, WhatIsAppendedIsRead) {
  const std::string path = place_.path("a");
  Result<std::unique_ptr<File>> file = env_.create(path);
  ASSERT_TRUE(succeeds(file));
  ASSERT_TRUE(succeeds(file.value()->append("hello ", 6)));
  ASSERT_TRUE(succeeds(file.value()->append("world", 5)));
  ASSERT_TRUE(succeeds(file.value()->append(nullptr, 0)));
  EXPECT_EQ(file.value()->size(), 11U);
  std::string text(5, '\0');
  ASSERT_TRUE(succeeds(file.value()->read(6, text.data(), 5))) << "before it is flushed";
  EXPECT_EQ(text, "world");
  ASSERT_TRUE(succeeds(file.value()->read(11, nullptr, 0)));
  ASSERT_TRUE(succeeds(file.value()->append("!", 1)));
  ASSERT_TRUE(succeeds(file.value()->flush()));
  EXPECT_EQ(contents("a"), "hello world!") << "through another File, while the first is open";
  ASSERT_TRUE(succeeds(file.value()->sync()));
  file.value().reset();
  EXPECT_EQ(contents("a"), "hello world!");
}

TEST_P(EnvTest, ReadingBehindTheEndNamesFileAndOffsets) {
  put_file(env_, place_.path("a"), std::string(5000, 'x'));
  Result<std::unique_ptr<File>> file = env_.open(place_.path("a"));
  ASSERT_TRUE(succeeds(file));
  std::string text(9000, '\0');
  const std::string message = place_.path("a") + " ends at byte 5000, before byte ";
  EXPECT_TRUE(fails_with(file.value()->read(4999, text.data(), 2), message + "5001: it was cut short"));
  EXPECT_TRUE(fails_with(file.value()->read(0, text.data(), 9000), message + "9000"));
  EXPECT_TRUE(fails_with(file.value()->read(5000, text.data(), 1), message + "5001"));
  EXPECT_FALSE(file.value()->read(100000, text.data(), 1).is_ok());
  EXPECT_TRUE(succeeds(file.value()->read(0, text.data(), 5000)));
  EXPECT_FALSE(file.value()->append("x", 1).is_ok() && file.value()->flush().is_ok()) << "opened to read";
}

// Appends and reads of all sorts of sizes, so that they begin and end before, at and behind the borders of sectors and
// buffers, against a string.
TEST_P(EnvTest, AgreesWithAString) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const auto odd_size = [&](std::size_t largest) {
      const std::size_t size = random() % 3 == 0 ? (random() % 5) * 4096 + random() % 3 : random() % largest;
      return size - (size > 0 && random() % 2 == 0 ? 1 : 0);
    };
    Result<std::unique_ptr<File>> file = env_.create(place_.path("a"));
    ASSERT_TRUE(succeeds(file));
    std::string model;
    for (int step = 0; step < 60; ++step) {
      switch (random() % 6) {
        case 0:
        case 1:
        case 2: {
          const std::string text = random_text(random, odd_size(random() % 8 == 0 ? 600000 : 10000));
          ASSERT_TRUE(succeeds(file.value()->append(text.data(), text.size())));
          model += text;
          break;
        }
        case 3:
          ASSERT_TRUE(succeeds(random() % 2 == 0 ? file.value()->flush() : file.value()->sync()));
          break;
        default: {
          const std::size_t offset = random() % (model.size() + 1);
          const std::size_t bytes = std::min(odd_size(600000), model.size() - offset);
          std::string text(bytes, '\0');
          ASSERT_TRUE(succeeds(file.value()->read(offset, text.data(), bytes)));
          ASSERT_TRUE(text == model.substr(offset, bytes)) << offset << " " << bytes;
        }
      }
      ASSERT_EQ(file.value()->size(), model.size());
    }
    file.value().reset();
    ASSERT_TRUE(contents("a") == model);
  }
}

TEST_P(EnvTest, SeveralMayReadWhatIsNotFlushed) {
  std::mt19937_64 random(5);
  const std::string model = random_text(random, 100001);
  Result<std::unique_ptr<File>> file = env_.create(place_.path("a"));
  ASSERT_TRUE(succeeds(file));
  ASSERT_TRUE(succeeds(file.value()->append(model.data(), model.size())));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      std::string text(model.size() - i, '\0');
      EXPECT_TRUE(succeeds(file.value()->read(i, text.data(), text.size())));
      EXPECT_TRUE(text == model.substr(i));
    });
  for (std::thread& thread : threads)
    thread.join();
}

TEST_P(EnvTest, CreateReplaces) {
  put_file(env_, place_.path("a"), "long contents");
  const Result<std::unique_ptr<File>> old = env_.open(place_.path("a"));
  ASSERT_TRUE(succeeds(old));
  put_file(env_, place_.path("a"), "new");
  EXPECT_EQ(contents("a"), "new");
  EXPECT_EQ(old.value()->size(), 13U) << "a reader keeps what it opened";
}

TEST_P(EnvTest, NamesComeAndGo) {
  EXPECT_FALSE(env_.exists(place_.path("a")));
  EXPECT_TRUE(fails_with(env_.open(place_.path("a")), "cannot open " + place_.path("a")));
  EXPECT_TRUE(fails_with(env_.remove(place_.path("a")), "cannot remove " + place_.path("a")));
  EXPECT_TRUE(fails_with(env_.rename(place_.path("a"), place_.path("b")), "cannot rename " + place_.path("a")));
  put_file(env_, place_.path("b"), "b");
  put_file(env_, place_.path("a"), "a");
  put_file(env_, place_.path(".c"), "c");
  Result<std::vector<std::string>> names = env_.list(place_.root());
  ASSERT_TRUE(succeeds(names));
  EXPECT_EQ(names.value(), (std::vector<std::string>{".c", "a", "b"}));
  ASSERT_TRUE(succeeds(env_.rename(place_.path("a"), place_.path("b"))));
  EXPECT_FALSE(env_.exists(place_.path("a")));
  EXPECT_EQ(contents("b"), "a");
  ASSERT_TRUE(succeeds(env_.remove(place_.path("b"))));
  EXPECT_FALSE(env_.exists(place_.path("b")));
  EXPECT_TRUE(succeeds(env_.sync_directory(place_.root())));
  EXPECT_TRUE(fails_with(env_.list(place_.path("nowhere")), "cannot list"));
  EXPECT_TRUE(fails_with(env_.sync_directory(place_.path("nowhere")), place_.path("nowhere")));
  EXPECT_TRUE(fails_with(env_.create(place_.path("nowhere/a")), place_.path("nowhere/a")));
}

TEST_P(EnvTest, Directories) {
  const Result<bool> made = env_.make_directory(place_.path("d"));
  ASSERT_TRUE(succeeds(made));
  EXPECT_TRUE(made.value());
  const Result<bool> again = env_.make_directory(place_.path("d"));
  ASSERT_TRUE(succeeds(again));
  EXPECT_FALSE(again.value()) << "who finds a directory did not make it";
  put_file(env_, place_.path("d/a"), "a");
  const Result<bool> over_file = env_.make_directory(place_.path("d/a"));
  ASSERT_TRUE(succeeds(over_file));
  EXPECT_FALSE(over_file.value());
  EXPECT_TRUE(fails_with(env_.open(place_.path("d")), "is no file"));
  EXPECT_FALSE(env_.create(place_.path("d")).is_ok());
  EXPECT_TRUE(fails_with(env_.remove_directory(place_.path("d")), "cannot remove the directory"));
  ASSERT_TRUE(succeeds(env_.remove(place_.path("d/a"))));
  EXPECT_TRUE(succeeds(env_.remove_directory(place_.path("d"))));
  EXPECT_FALSE(env_.exists(place_.path("d")));
  EXPECT_TRUE(fails_with(env_.make_directory(place_.path("no/d")), "cannot make the directory"));
}

TEST_P(EnvTest, LocksExclude) {
  Result<std::unique_ptr<DirectoryLock>> first = env_.lock(place_.root());
  ASSERT_TRUE(succeeds(first));
  ASSERT_NE(first.value(), nullptr);
  {
    const Result<std::unique_ptr<DirectoryLock>> second = env_.lock(place_.root());
    ASSERT_TRUE(succeeds(second));
    EXPECT_EQ(second.value(), nullptr) << "in the same process";
  }
  first.value().reset();
  const Result<std::unique_ptr<DirectoryLock>> third = env_.lock(place_.root());
  ASSERT_TRUE(succeeds(third));
  EXPECT_NE(third.value(), nullptr);
  EXPECT_FALSE(env_.lock(place_.path("nowhere")).is_ok());
}

TEST_P(EnvTest, ReplaceFile) {
  ASSERT_TRUE(succeeds(replace_file(env_, place_.root(), "a", "old")));
  ASSERT_TRUE(succeeds(replace_file(env_, place_.root(), "a", "new")));
  EXPECT_EQ(contents("a"), "new");
  const Result<std::vector<std::string>> names = env_.list(place_.root());
  ASSERT_TRUE(succeeds(names));
  EXPECT_EQ(names.value(), std::vector<std::string>{"a"}) << "nothing is left beside it";
  EXPECT_TRUE(fails_with(read_file(env_, place_.path("a"), 2), "has 3 bytes: more than 2"));
  EXPECT_FALSE(replace_file(env_, place_.path("no"), "a", "x").is_ok());
  // A directory in the way: the rename fails, and nothing is left.
  ASSERT_TRUE(succeeds(env_.make_directory(place_.path("b"))));
  if (is_real()) {
    EXPECT_TRUE(fails_with(replace_file(env_, place_.root(), "b", "x"), "cannot rename"));
    EXPECT_FALSE(env_.exists(place_.path("b.new")));
  }
}

// --- Of the machine only ---

TEST(RealEnv, IsPrivate) {
  const Place place(EnvKind::kReal);
  const mode_t before = ::umask(0);
  put_file(place.env(), place.path("a"), "a");
  ASSERT_TRUE(succeeds(place.env().make_directory(place.path("d"))));
  ::umask(before);
  EXPECT_EQ(mode_of(place.path("a")), 0600U);
  EXPECT_EQ(mode_of(place.path("d")), 0700U);
  ASSERT_EQ(::chmod(place.path("a").c_str(), 0666), 0);
  put_file(place.env(), place.path("a"), "b");
  EXPECT_EQ(mode_of(place.path("a")), 0600U) << "also if it replaces one that is not";
}

TEST(RealEnv, DoesNotWriteThroughLinks) {
  const Place place(EnvKind::kReal);
  put_file(place.env(), place.path("precious"), "p");
  ASSERT_EQ(::symlink(place.path("precious").c_str(), place.path("soft").c_str()), 0);
  ASSERT_EQ(::link(place.path("precious").c_str(), place.path("hard").c_str()), 0);
  put_file(place.env(), place.path("soft"), "new");
  put_file(place.env(), place.path("hard"), "new");
  EXPECT_EQ(read_file(place.env(), place.path("precious"), 10).value(), "p");
  ASSERT_EQ(::symlink(place.path("nowhere").c_str(), place.path("trap").c_str()), 0);
  const Result<bool> made = place.env().make_directory(place.path("trap"));
  ASSERT_TRUE(succeeds(made));
  EXPECT_FALSE(made.value()) << "a dangling link is something of that name";
}

TEST(RealEnv, APipeIsNoFile) {
  const Place place(EnvKind::kReal);
  ASSERT_EQ(::mkfifo(place.path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(fails_with(place.env().open(place.path("pipe")), "is no file"));
}

int lock_in_child(const Place& place) {
  const pid_t child = ::fork();
  if (child == 0) {
    const std::unique_ptr<Env> env = make_real_env(false);
    const Result<std::unique_ptr<DirectoryLock>> lock = env->lock(place.root());
    ::_exit(!lock.is_ok() ? 2 : lock.value() == nullptr ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(RealEnv, LocksExcludeOtherProcesses) {
  const Place place(EnvKind::kReal);
  Result<std::unique_ptr<DirectoryLock>> lock = place.env().lock(place.root());
  ASSERT_TRUE(succeeds(lock));
  EXPECT_EQ(lock_in_child(place), 1);
  lock.value().reset();
  EXPECT_EQ(lock_in_child(place), 0) << "freed here";
  EXPECT_NE(place.env().lock(place.root()).value(), nullptr) << "freed by the system when the child ended";
}

// A write that the system refuses names the file and the offset, and what was there stays.
TEST(RealEnv, FileTooLarge) {
  const Place place(EnvKind::kReal);
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10000, 10000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Result<std::unique_ptr<File>> file = place.env().create(place.path("a"));
    const std::string text(6000, 'x');
    const Status first = file.value()->append(text.data(), text.size());
    const Status second = file.value()->append(text.data(), text.size());
    std::string back(6000, '\0');
    const bool good = first.is_ok() && fails_with(second, place.path("a") + " at byte 10000") &&
                      file.value()->size() == 6000 && file.value()->read(0, back.data(), 6000).is_ok() && back == text;
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tideline
