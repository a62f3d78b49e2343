// SPDX-License-Identifier: MIT
// The working directory, on each sort of Env: limits and counts, who may have it, what is removed and what stays.
#include "io/workdir.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "fault/io_support.h"

namespace tideline {
namespace {

class WorkdirTest : public testing::TestWithParam<EnvKind> {
 protected:
  WorkdirTest() : place_(GetParam()), env_(place_.env()), path_(place_.path("w")) {}

  // A file of so many bytes.
  static void add(Workdir& workdir, const std::string& name, std::size_t bytes) {
    Result<std::unique_ptr<File>> file = workdir.create_file(name);
    ASSERT_TRUE(succeeds(file));
    const std::string text(bytes, 'x');
    ASSERT_TRUE(succeeds(file.value()->append(text.data(), text.size())));
    ASSERT_TRUE(succeeds(file.value()->sync()));
  }
  [[nodiscard]] std::vector<std::string> names() const {
    const Result<std::vector<std::string>> names = env_.list(path_);
    EXPECT_TRUE(succeeds(names));
    return names.is_ok() ? names.value() : std::vector<std::string>();
  }
  // A directory with a manifest that names run-000000, and a run-000001 that came later.
  void leave_stopped_search() {
    Workdir workdir(env_, path_, 0);
    add(workdir, workdir.fresh_name("run"), 10);
    ASSERT_TRUE(succeeds(workdir.write_manifest("{}", {"run-000000"})));
    add(workdir, workdir.fresh_name("run"), 20);
    workdir.keep(true);
  }

  using Names = std::vector<std::string>;
  Place place_;
  Env& env_;
  std::string path_;
};

INSTANTIATE_TEST_SUITE_P(All, WorkdirTest, testing::Values(EnvKind::kReal, EnvKind::kMemory),
                         [](const auto& about) { return name_of(about.param); });

TEST_P(WorkdirTest, IsMadeWithItsFirstFileAndRemovedAtTheEnd) {
  {
    Workdir workdir(env_, path_ + "//", 0);
    EXPECT_EQ(workdir.path(), path_);
    EXPECT_FALSE(workdir.prepared());
    EXPECT_FALSE(env_.exists(path_)) << "a search that fits into memory makes none";
    add(workdir, workdir.fresh_name("run"), 10);
    EXPECT_TRUE(workdir.prepared());
    EXPECT_EQ(names(), Names{"run-000000"});
    ASSERT_TRUE(succeeds(workdir.write_manifest("{}", {"run-000000"})));
    EXPECT_EQ(names(), (Names{kManifestName, "run-000000"}));
  }
  EXPECT_FALSE(env_.exists(path_));
}

TEST_P(WorkdirTest, AnEmptyDirectoryThatWasThereStays) {
  ASSERT_TRUE(succeeds(env_.make_directory(path_)));
  {
    Workdir workdir(env_, path_, 0);
    add(workdir, workdir.fresh_name("run"), 10);
  }
  EXPECT_EQ(names(), Names{});
}

TEST_P(WorkdirTest, IsKeptOnRequest) {
  leave_stopped_search();
  EXPECT_EQ(names(), (Names{kManifestName, "run-000000", "run-000001"}));
}

TEST_P(WorkdirTest, TheLimitIsHard) {
  Workdir workdir(env_, path_, 100);
  add(workdir, "run-000000", 60);
  Result<std::unique_ptr<File>> file = workdir.create_file("run-000001");
  ASSERT_TRUE(succeeds(file));
  const std::string text(41, 'x');
  ASSERT_TRUE(succeeds(file.value()->append(text.data(), 40))) << "exactly";
  const Status status = file.value()->append(text.data(), 1);
  EXPECT_TRUE(fails_with(status, "--disk is reached: 100 of 100 bytes are in " + path_));
  EXPECT_TRUE(status.is_limit());
  EXPECT_EQ(file.value()->size(), 40U);
  ASSERT_TRUE(succeeds(workdir.remove_file("run-000000")));
  EXPECT_TRUE(succeeds(file.value()->append(text.data(), 41))) << "there is room again";
  EXPECT_EQ(workdir.counts().disk_bytes, 81U);
  EXPECT_EQ(workdir.counts().disk_peak_bytes, 100U);
}

TEST_P(WorkdirTest, CountsBytes) {
  Workdir workdir(env_, path_, 0);
  add(workdir, "run-000000", 10);
  add(workdir, "run-000001", 5);
  Result<std::unique_ptr<File>> file = workdir.open_file("run-000000");
  ASSERT_TRUE(succeeds(file));
  char text[10];
  ASSERT_TRUE(succeeds(file.value()->read(2, text, 7)));
  EXPECT_EQ(workdir.counts().bytes_written, 15U);
  EXPECT_EQ(workdir.counts().bytes_read, 7U);
  EXPECT_EQ(workdir.counts().disk_bytes, 15U);
  ASSERT_TRUE(succeeds(workdir.remove_file("run-000000")));
  ASSERT_TRUE(succeeds(workdir.remove_file("run-000000"))) << "twice is no error";
  EXPECT_EQ(workdir.counts().disk_bytes, 5U);
  EXPECT_EQ(workdir.counts().disk_peak_bytes, 15U);
  EXPECT_EQ(names(), Names{"run-000001"});
}

TEST_P(WorkdirTest, AFileThatWasRemovedIsNotWritten) {
  Workdir workdir(env_, path_, 0);
  Result<std::unique_ptr<File>> file = workdir.create_file("run-000000");
  ASSERT_TRUE(succeeds(file));
  ASSERT_TRUE(succeeds(workdir.remove_file("run-000000")));
  EXPECT_TRUE(fails_with(file.value()->append("x", 1), "it was removed"));
  EXPECT_EQ(workdir.counts().disk_bytes, 0U);
}

TEST_P(WorkdirTest, RefusesWhatIsNotEmpty) {
  ASSERT_TRUE(succeeds(env_.make_directory(path_)));
  put_file(env_, path_ + "/thesis.tex", "all my work");
  {
    Workdir workdir(env_, path_, 0);
    EXPECT_TRUE(fails_with(workdir.prepare(), path_ + " is not empty (thesis.tex is in it): give --workdir a new"));
    EXPECT_FALSE(workdir.prepared());
    EXPECT_FALSE(workdir.create_file("run-000000").is_ok());
    EXPECT_FALSE(workdir.write_manifest("{}", {}).is_ok());
  }
  EXPECT_EQ(names(), Names{"thesis.tex"});
}

TEST_P(WorkdirTest, ExplainsAStoppedSearch) {
  leave_stopped_search();
  {
    Workdir workdir(env_, path_, 0);
    EXPECT_TRUE(fails_with(workdir.prepare(), "`tideline resume " + path_ + "`"));
  }
  EXPECT_EQ(names().size(), 3U);
  ASSERT_TRUE(succeeds(env_.remove(path_ + "/" + kManifestName)));
  Workdir workdir(env_, path_, 0);
  EXPECT_TRUE(fails_with(workdir.prepare(), "a run that was killed before it could be resumed: remove the directory"));
  EXPECT_TRUE(fails_with(workdir.reopen(), path_ + " holds no search that could be resumed"));
}

TEST_P(WorkdirTest, TwoRunsCannotShareIt) {
  Workdir first(env_, path_, 0);
  ASSERT_TRUE(succeeds(first.prepare()));
  Workdir second(env_, path_, 0);
  EXPECT_TRUE(fails_with(second.prepare(), path_ + " is in use by another run"));
  EXPECT_TRUE(fails_with(second.reopen(), path_ + " is in use by another run"));
  ASSERT_TRUE(succeeds(first.prepare())) << "the same run may ask twice";
}

TEST_P(WorkdirTest, RefusesFilesAndMissingParents) {
  put_file(env_, place_.path("file"), "x");
  Workdir file(env_, place_.path("file"), 0);
  EXPECT_TRUE(fails_with(file.prepare(), place_.path("file")));
  Workdir orphan(env_, place_.path("no/w"), 0);
  EXPECT_TRUE(fails_with(orphan.prepare(), "cannot make the directory " + place_.path("no/w")));
  Workdir nothing(env_, place_.path("nothing"), 0);
  EXPECT_TRUE(fails_with(nothing.reopen(), place_.path("nothing")));
  EXPECT_EQ(env_.list(place_.root()).value(), Names{"file"}) << "what fails leaves nothing behind";
}

TEST_P(WorkdirTest, NamedFilesStayUntilTheNextManifest) {
  Workdir workdir(env_, path_, 0);
  add(workdir, "run-000000", 1);
  add(workdir, "run-000001", 1);
  ASSERT_TRUE(succeeds(workdir.write_manifest("1", {"run-000000", "run-000001"})));
  ASSERT_TRUE(succeeds(workdir.remove_file("run-000000")));
  add(workdir, "run-000002", 1);
  EXPECT_EQ(names(), (Names{kManifestName, "run-000000", "run-000001", "run-000002"}));
  EXPECT_EQ(workdir.counts().disk_bytes, 3U) << "it still needs its room";
  ASSERT_TRUE(succeeds(workdir.write_manifest("2", {"run-000000", "run-000001"})));
  EXPECT_EQ(names().size(), 4U) << "this manifest names it, too";
  ASSERT_TRUE(succeeds(workdir.write_manifest("3", {"run-000001", "run-000002"})));
  EXPECT_EQ(names(), (Names{kManifestName, "run-000001", "run-000002"}));
  EXPECT_EQ(workdir.counts().disk_bytes, 2U);
  EXPECT_EQ(read_file(env_, path_ + "/" + kManifestName, 10).value(), "3");
}

TEST_P(WorkdirTest, AResumedSearchKeepsWhatTheManifestNames) {
  leave_stopped_search();
  put_file(env_, path_ + "/notes.txt", "why I stopped it");
  put_file(env_, path_ + "/manifest.json.new", "{");
  {
    Workdir workdir(env_, path_, 1000);
    ASSERT_TRUE(succeeds(workdir.reopen()));
    EXPECT_EQ(workdir.counts().disk_bytes, 31U);
    EXPECT_EQ(workdir.fresh_name("run"), "run-000002");
    workdir.set_names_given(1);
    EXPECT_EQ(workdir.fresh_name("run"), "run-000003") << "never twice";
    workdir.set_names_given(17);
    EXPECT_EQ(workdir.fresh_name("run"), "run-000017");
    ASSERT_TRUE(succeeds(workdir.keep_only({"run-000000"})));
    EXPECT_EQ(names(), (Names{kManifestName, "notes.txt", "run-000000"}));
    EXPECT_EQ(workdir.counts().disk_bytes, 10U);
    ASSERT_TRUE(succeeds(workdir.remove_file("run-000000")));
    EXPECT_EQ(workdir.counts().disk_bytes, 10U) << "the manifest still names it";
  }
  EXPECT_EQ(names(), Names{"notes.txt"}) << "what we did not make is not ours to remove";
}

// `tideline resume` with the wrong directory, or a manifest of another program.
TEST_P(WorkdirTest, NothingIsRemovedBeforeTheManifestIsUnderstood) {
  leave_stopped_search();
  {
    Workdir workdir(env_, path_, 0);
    ASSERT_TRUE(succeeds(workdir.reopen()));
  }
  EXPECT_EQ(names(), (Names{kManifestName, "run-000000", "run-000001"}));
  Workdir workdir(env_, path_, 0);
  EXPECT_TRUE(succeeds(workdir.reopen())) << "the lock is free again";
  ASSERT_TRUE(succeeds(workdir.keep_only({"run-000000"})));
}

TEST_P(WorkdirTest, ThreadsMayShareIt) {
  Workdir workdir(env_, path_, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = workdir.fresh_name("run");
        add(workdir, name, 3);
        if (i % 2 == 0) {
          EXPECT_TRUE(succeeds(workdir.remove_file(name)));
        }
        if (i % 10 == t) {
          EXPECT_TRUE(succeeds(workdir.write_manifest("{}", {})));
        }
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(workdir.counts().disk_bytes, 300U);
  EXPECT_EQ(workdir.names_given(), 200U);
  EXPECT_EQ(names().size(), 101U);
}

// Random calls against a map of sizes.
TEST_P(WorkdirTest, AgreesWithAMap) {
  for (std::uint64_t seed = 1; seed <= (GetParam() == EnvKind::kReal ? 3 : 30); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::uint64_t limit = 500;
    Workdir workdir(env_, path_, limit);
    std::map<std::string, std::uint64_t> model;  // on the disk
    std::set<std::string> named;
    std::set<std::string> doomed;
    for (int step = 0; step < 100; ++step) {
      std::uint64_t total = 0;
      for (const auto& [name, bytes] : model)
        total += bytes;
      ASSERT_EQ(workdir.counts().disk_bytes, total);
      const auto any = [&] { return std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size())); };
      if (random() % 2 == 0 || model.empty()) {
        const std::string name = workdir.fresh_name("run");
        const std::uint64_t bytes = random() % 100;
        Result<std::unique_ptr<File>> file = workdir.create_file(name);
        ASSERT_TRUE(succeeds(file));
        const std::string text(bytes, 'x');
        const Status status = file.value()->append(text.data(), bytes);
        ASSERT_EQ(status.is_ok(), total + bytes <= limit);
        model[name] = status.is_ok() ? bytes : 0;
      } else if (random() % 4 != 0) {
        const std::string name = any()->first;
        ASSERT_TRUE(succeeds(workdir.remove_file(name)));
        if (named.contains(name))
          doomed.insert(name);
        else
          model.erase(name);
      } else {
        std::set<std::string> next;
        for (std::uint64_t i = 0; i < random() % 5; ++i)
          next.insert(any()->first);
        ASSERT_TRUE(succeeds(workdir.write_manifest("{}", next)));
        named = next;
        for (const std::string& name : std::set<std::string>(doomed))
          if (!named.contains(name)) {
            model.erase(name);
            doomed.erase(name);
          }
      }
    }
    std::vector<std::string> expected;
    for (const auto& [name, bytes] : model)
      expected.push_back(name);
    std::vector<std::string> there = names();
    std::erase(there, kManifestName);
    ASSERT_EQ(there, expected);
  }
}

// --- The default directory ---

class DefaultWorkdir : public testing::Test {
 protected:
  DefaultWorkdir() { ::setenv("TMPDIR", place_.root().c_str(), 1); }
  ~DefaultWorkdir() override { ::unsetenv("TMPDIR"); }
  Place place_ = Place(EnvKind::kReal);
};

TEST_F(DefaultWorkdir, IsNewPrivateAndRemoved) {
  {
    Workdir first(place_.env(), "", 0);
    Workdir second(place_.env(), "", 0);
    ASSERT_TRUE(succeeds(first.prepare()));
    ASSERT_TRUE(succeeds(second.prepare()));
    EXPECT_NE(first.path(), second.path());
    EXPECT_TRUE(first.path().starts_with(place_.root() + "/tideline-")) << first.path();
    struct stat about {};
    ASSERT_EQ(::stat(first.path().c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0700U);
  }
  EXPECT_EQ(place_.env().list(place_.root()).value().size(), 0U);
}

TEST_F(DefaultWorkdir, SaysWhatToDoIfThereIsNoPlace) {
  ::setenv("TMPDIR", place_.path("nowhere").c_str(), 1);
  Workdir workdir(place_.env(), "", 0);
  EXPECT_TRUE(fails_with(workdir.prepare(), "(--workdir or TMPDIR say where else)"));
  ::setenv("TMPDIR", place_.root().c_str(), 1);
  EXPECT_TRUE(succeeds(workdir.prepare())) << "a second try begins anew";
}

// --- Faults: every call of a small run fails once ---

// What a search does: files, manifests, a removal. Keeps going at nothing.
Status small_run(Env& env, const std::string& path, bool keep) {
  Workdir workdir(env, path, 0);
  for (int layer = 0; layer < 3; ++layer) {
    const std::string name = workdir.fresh_name("run");
    Result<std::unique_ptr<File>> file = workdir.create_file(name);
    if (!file.is_ok())
      return file.status();
    if (Status status = file.value()->append("0123456789", 10); !status.is_ok())
      return status;
    if (Status status = file.value()->sync(); !status.is_ok())
      return status;
    if (layer > 0)
      if (Status status = workdir.remove_file("run-00000" + std::to_string(layer - 1)); !status.is_ok())
        return status;
    if (Status status = workdir.write_manifest(name, {name}); !status.is_ok())
      return status;
  }
  if (keep)
    workdir.keep(true);
  return Status::ok();
}

TEST(WorkdirFaults, AnErrorIsReportedAndNothingIsLeft) {
  FaultyEnv counting;
  ASSERT_TRUE(succeeds(small_run(counting, "/tmp/w", true)));
  const std::uint64_t steps = counting.steps();
  EXPECT_GT(steps, 20U);
  for (const Fault fault : {Fault::kNoSpace, Fault::kIoError})
    for (std::uint64_t step = 1; step <= steps; ++step) {
      FaultyEnv env;
      env.plan(step, fault);
      ASSERT_FALSE(small_run(env, "/tmp/w", false).is_ok()) << step;
      ASSERT_FALSE(env.exists("/tmp/w")) << step;
      ASSERT_TRUE(env.lock("/tmp").is_ok());
    }
}

// Killed or out of power at any step: there is no directory, one without a manifest, or one that can be resumed.
TEST(WorkdirFaults, TheManifestIsTrueAfterACrashAtAnyStep) {
  FaultyEnv counting;
  ASSERT_TRUE(succeeds(small_run(counting, "/tmp/w", true)));
  std::set<std::string> manifests;
  for (std::uint64_t step = 1; step <= counting.steps() + 1; ++step)
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE("step " + std::to_string(step) + " seed " + std::to_string(seed));
      FaultyEnv env;
      env.plan(step, seed % 2 == 0 ? Fault::kCrash : Fault::kTear);
      ASSERT_EQ(small_run(env, "/tmp/w", true).is_ok(), step > counting.steps());
      if (seed % 5 == 0)
        env.restart();
      else
        env.reboot(seed);
      if (!env.exists("/tmp/w/manifest.json"))
        continue;
      const std::string name = env.contents("/tmp/w/manifest.json");
      manifests.insert(name);
      Workdir workdir(env, "/tmp/w", 0);
      ASSERT_TRUE(succeeds(workdir.reopen()));
      ASSERT_TRUE(succeeds(workdir.keep_only({name})));
      ASSERT_TRUE(env.exists("/tmp/w/" + name)) << name;
      ASSERT_EQ(env.contents("/tmp/w/" + name), "0123456789");
      ASSERT_EQ(workdir.counts().disk_bytes, 10U);
    }
  EXPECT_EQ(manifests, (std::set<std::string>{"run-000000", "run-000001", "run-000002"}));
}

// A finished manifest is there for good: the directory's own name is durable, too.
TEST(WorkdirFaults, AWrittenManifestSurvivesThePowerCut) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    FaultyEnv env;
    ASSERT_TRUE(succeeds(small_run(env, "/tmp/w", true)));
    env.reboot(seed);
    ASSERT_TRUE(env.exists("/tmp/w/manifest.json"));
    ASSERT_EQ(env.contents("/tmp/w/manifest.json"), "run-000002");
  }
}

// Which of two manifests is on the disk is not known after an error: the files of both stay.
TEST(WorkdirFaults, AfterAFailedManifestTheFilesOfBothStay) {
  for (std::uint64_t step = 1; step <= 6; ++step) {
    FaultyEnv env;
    Workdir workdir(env, "/tmp/w", 0);
    for (const char* name : {"run-000000", "run-000001"})
      ASSERT_TRUE(succeeds(workdir.create_file(name)));
    ASSERT_TRUE(succeeds(workdir.write_manifest("0", {"run-000000"})));
    env.plan(env.steps() + step, Fault::kIoError);
    ASSERT_FALSE(workdir.write_manifest("1", {"run-000001"}).is_ok());
    ASSERT_TRUE(succeeds(workdir.remove_file("run-000000")));
    ASSERT_TRUE(succeeds(workdir.remove_file("run-000001")));
    EXPECT_TRUE(env.exists("/tmp/w/run-000000") && env.exists("/tmp/w/run-000001")) << step;
    ASSERT_TRUE(succeeds(workdir.write_manifest("2", {})));
    EXPECT_EQ(env.list("/tmp/w").value(), std::vector<std::string>{kManifestName});
  }
}

TEST(WorkdirFaults, APrepareThatFailsRemovesWhatItMade) {
  FaultyEnv env;
  env.fail_locks(true);
  Workdir workdir(env, "/tmp/w", 0);
  EXPECT_TRUE(fails_with(workdir.prepare(), "cannot lock /tmp/w"));
  EXPECT_FALSE(env.exists("/tmp/w"));
  ASSERT_TRUE(succeeds(env.make_directory("/tmp/w")));
  EXPECT_FALSE(workdir.prepare().is_ok());
  EXPECT_TRUE(env.exists("/tmp/w")) << "this one was there";
  env.fail_locks(false);
  EXPECT_TRUE(succeeds(workdir.prepare()));
}

TEST(WorkdirFaults, AFailedRemovalKeepsTheCountAndTheResumableSearch) {
  FaultyEnv env;
  ASSERT_TRUE(succeeds(small_run(env, "/tmp/w", true)));
  put_file(env, "/tmp/w/run-000005", "12345");
  {
    Workdir workdir(env, "/tmp/w", 0);
    ASSERT_TRUE(succeeds(workdir.reopen()));
    env.plan(env.steps() + 1, Fault::kIoError);
    EXPECT_FALSE(workdir.keep_only({"run-000002"}).is_ok());
    EXPECT_EQ(workdir.counts().disk_bytes, 15U);
  }
  EXPECT_TRUE(env.exists("/tmp/w/manifest.json"));
}

}  // namespace
}  // namespace tideline
