// SPDX-License-Identifier: MIT
// The tests' own file system: a fault comes when it is planned, and a crash leaves what it may leave.
#include "fault/faulty_env.h"

#include <gtest/gtest.h>

#include <set>

#include "fault/io_support.h"

namespace tideline {
namespace {

// Six steps: create, append, append, sync, rename, sync_directory.
Status do_six(FaultyEnv& env) {
  Result<std::unique_ptr<File>> file = env.create("/tmp/a.new");
  if (!file.is_ok())
    return file.status();
  for (const char* text : {"hello", "world"})
    if (Status status = file.value()->append(text, 5); !status.is_ok())
      return status;
  if (Status status = file.value()->sync(); !status.is_ok())
    return status;
  if (Status status = env.rename("/tmp/a.new", "/tmp/a"); !status.is_ok())
    return status;
  return env.sync_directory("/tmp");
}

TEST(FaultyEnv, CountsSteps) {
  FaultyEnv env;
  ASSERT_TRUE(succeeds(do_six(env)));
  EXPECT_EQ(env.steps(), 6U);
  EXPECT_EQ(env.contents("/tmp/a"), "helloworld");
  EXPECT_EQ(env.bytes(), 10U);
}

TEST(FaultyEnv, AFaultComesAtItsStep) {
  for (std::uint64_t step = 1; step <= 6; ++step) {
    FaultyEnv env;
    env.plan(step, Fault::kNoSpace);
    EXPECT_TRUE(fails_with(do_six(env), "No space left")) << step;
    EXPECT_EQ(env.steps(), step);
    EXPECT_TRUE(succeeds(do_six(env))) << "once";
    FaultyEnv other;
    other.plan(step, Fault::kIoError);
    EXPECT_TRUE(fails_with(do_six(other), "Input/output error")) << step;
  }
}

TEST(FaultyEnv, AfterACrashNothingWorks) {
  for (std::uint64_t step = 1; step <= 6; ++step) {
    FaultyEnv env;
    put_file(env, "/tmp/b", "b");
    Result<std::unique_ptr<File>> open = env.open("/tmp/b");
    ASSERT_TRUE(succeeds(open));
    env.plan(env.steps() + step, Fault::kCrash);
    EXPECT_FALSE(do_six(env).is_ok());
    EXPECT_TRUE(env.crashed());
    EXPECT_FALSE(do_six(env).is_ok());
    EXPECT_FALSE(env.open("/tmp/b").is_ok());
    EXPECT_FALSE(env.list("/tmp").is_ok());
    EXPECT_FALSE(env.lock("/tmp").is_ok());
    char byte = 0;
    EXPECT_FALSE(open.value()->read(0, &byte, 1).is_ok());
    env.restart();
    EXPECT_FALSE(open.value()->read(0, &byte, 1).is_ok()) << "the process is dead";
    EXPECT_EQ(env.contents("/tmp/b"), "b");
    EXPECT_TRUE(succeeds(do_six(env)));
  }
}

TEST(FaultyEnv, TearsAnAppend) {
  std::set<std::string> seen;
  for (int earlier = 0; earlier < 5; ++earlier) {
    FaultyEnv env;
    for (int i = 0; i < earlier; ++i)
      put_file(env, "/tmp/b", "");
    env.plan(env.steps() + 3, Fault::kTear);
    EXPECT_FALSE(do_six(env).is_ok());
    env.restart();
    const std::string text = env.contents("/tmp/a.new");
    EXPECT_TRUE(std::string("helloworld").starts_with(text) && text.size() < 10) << text;
    seen.insert(text);
  }
  EXPECT_GT(seen.size(), 2U);
}

TEST(FaultyEnv, DurableStays) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    FaultyEnv env;
    ASSERT_TRUE(succeeds(do_six(env)));
    ASSERT_TRUE(succeeds(do_six(env)));
    put_file(env, "/tmp/z", "zzz");
    env.reboot(seed);
    EXPECT_EQ(env.contents("/tmp/a"), "helloworld");
  }
}

// All that may be there after a power cut is, for some seed, and nothing else.
TEST(FaultyEnv, UndurableMayBeThere) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    FaultyEnv env;
    put_file(env, "/tmp/z", "zzz");
    env.reboot(seed);
    seen.insert(env.exists("/tmp/z") ? env.contents("/tmp/z") : "none");
  }
  using namespace std::string_literals;
  EXPECT_EQ(seen, (std::set<std::string>{"none", "", "z", "zz", "zzz", "\0"s, "z\0"s, "zz\0"s, "\0\0"s, "z\0\0"s,
                                         "\0\0\0"s}));
}

// The file is replaced as a whole: old or new, never none, never half.
TEST(FaultyEnv, ReplaceFileIsAtomic) {
  for (const Fault fault : {Fault::kCrash, Fault::kTear, Fault::kNoSpace, Fault::kIoError})
    for (std::uint64_t step = 1; step <= 6; ++step) {
      std::set<std::string> seen;
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        FaultyEnv env;
        ASSERT_TRUE(succeeds(replace_file(env, "/tmp", "a", "old")));
        env.plan(env.steps() + step, fault);
        const Status status = replace_file(env, "/tmp", "a", "newer");
        EXPECT_EQ(status.is_ok(), step == 6) << "it takes five steps";
        if (!env.crashed()) {
          EXPECT_FALSE(env.exists("/tmp/a.new"));
        }
        env.reboot(seed);
        ASSERT_TRUE(env.exists("/tmp/a"));
        seen.insert(env.contents("/tmp/a"));
      }
      if (step < 5) {
        EXPECT_EQ(seen, std::set<std::string>{"old"});
      }
      if (step == 5) {
        EXPECT_EQ(seen, (std::set<std::string>{"old", "newer"}));
      }
      if (step == 6) {
        EXPECT_EQ(seen, std::set<std::string>{"newer"});
      }
    }
}

TEST(FaultyEnv, AFailedSyncStaysFailed) {
  FaultyEnv env;
  Result<std::unique_ptr<File>> file = env.create("/tmp/a");
  ASSERT_TRUE(succeeds(file));
  ASSERT_TRUE(succeeds(file.value()->append("x", 1)));
  env.plan(env.steps() + 1, Fault::kIoError);
  EXPECT_FALSE(file.value()->sync().is_ok());
  EXPECT_FALSE(file.value()->sync().is_ok());
}

TEST(FaultyEnv, LimitsBytes) {
  FaultyEnv env;
  env.limit_bytes(10);
  put_file(env, "/tmp/a", "12345678");
  Result<std::unique_ptr<File>> file = env.create("/tmp/b");
  ASSERT_TRUE(succeeds(file));
  EXPECT_TRUE(fails_with(file.value()->append("123", 3), "No space left"));
  EXPECT_TRUE(succeeds(file.value()->append("12", 2)));
  EXPECT_FALSE(file.value()->append("3", 1).is_ok());
  ASSERT_TRUE(succeeds(env.remove("/tmp/a")));
  EXPECT_TRUE(succeeds(file.value()->append("3", 1)));
}

TEST(FaultyEnv, RebootFreesLocks) {
  FaultyEnv env;
  Result<std::unique_ptr<DirectoryLock>> old = env.lock("/tmp");
  ASSERT_NE(old.value(), nullptr);
  EXPECT_EQ(env.lock("/tmp").value(), nullptr);
  env.crash();
  env.reboot(1);
  const Result<std::unique_ptr<DirectoryLock>> now = env.lock("/tmp");
  ASSERT_NE(now.value(), nullptr);
  old.value().reset();
  EXPECT_EQ(env.lock("/tmp").value(), nullptr) << "a dead process frees nothing";
}

TEST(FaultyEnv, FlipsBits) {
  FaultyEnv env;
  put_file(env, "/tmp/a", "abc");
  env.flip_bit("/tmp/a", 1, 0);
  EXPECT_EQ(env.contents("/tmp/a"), "acc");
}

}  // namespace
}  // namespace tideline
