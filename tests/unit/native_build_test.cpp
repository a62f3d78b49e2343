// SPDX-License-Identifier: MIT
// Building native engines: the cache and everything that can be wrong with it, the compiler and everything it can do.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "exec/native/cache.h"
#include "exec/native/emit_c.h"
#include "ir/build.h"
#include "native_support.h"

namespace tideline::test {
namespace {

namespace fs = std::filesystem;

// x counts from 0 to `last` and stops.
std::unique_ptr<ir::Program> counter(std::int64_t last) {
  auto program = std::make_unique<ir::Program>();
  ir::Domain range;
  range.name = "*/ \"name\" %s ?\?/";
  range.parts = {{0, last}};
  const ir::Type* type = ir::add_simple_type(*program, ir::add_domain(*program, range), "*/ type \\");
  const ir::Variable& x = program->add_variable("evil\n#error */", type, {});
  auto assign = [&](ir::Rule& rule, ir::ExprPtr value) {
    auto stmt = std::make_unique<ir::Stmt>();
    stmt->kind = ir::StmtKind::kAssign;
    stmt->ref = ir::make_state_ref(x);
    stmt->value = std::move(value);
    rule.name = "\"); system(\"evil\"); /*";
    rule.body.push_back(std::move(stmt));
  };
  assign(program->starts.emplace_back(), ir::make_constant(0));
  ir::Rule& up = program->rules.emplace_back();
  up.guard =
      ir::make_binary(ir::ExprOp::kLess, ir::make_read(ir::make_state_ref(x), true, {}), ir::make_constant(last), {});
  assign(up,
         ir::make_binary(ir::ExprOp::kAdd, ir::make_read(ir::make_state_ref(x), true, {}), ir::make_constant(1), {}));
  EXPECT_TRUE(ir::number_commands(*program));
  return program;
}

class NativeBuildTest : public ::testing::Test {
 protected:
  NativeBuildTest() : program_(counter(5)) { options_.cache_dir = scratch_.path() + "/cache"; }

  std::unique_ptr<NativeBuild> prepare() { return NativeBuild::prepare(*program_, options_); }

  // Builds and checks that the result works; returns whether it came from the cache.
  bool build(std::string* warning = nullptr) {
    const std::unique_ptr<NativeBuild> made = prepare();
    const bool cached = made->cached();
    Result<std::unique_ptr<Engine>> engine = made->take();
    EXPECT_TRUE(engine.is_ok()) << engine.status().message();
    if (warning != nullptr)
      *warning = made->warning();
    if (!engine.is_ok())
      return false;
    const std::unique_ptr<NextState> native = engine.value()->make();
    const Explored seen = compare_engines(*program_, *native, 100);
    EXPECT_TRUE(seen.agreed);
    EXPECT_EQ(seen.states, 6u);
    return cached;
  }

  std::string failure() {
    const Result<std::unique_ptr<Engine>> engine = prepare()->take();
    return engine.is_ok() ? "" : engine.status().message();
  }

  // A program to be used as the compiler.
  std::string script(const std::string& text) {
    const std::string path = scratch_.path() + "/compiler" + std::to_string(scripts_++);
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    EXPECT_EQ(chmod(path.c_str(), 0700), 0);
    return path;
  }

  [[nodiscard]] std::vector<fs::path> cached_files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(options_.cache_dir))
      files.push_back(entry.path());
    return files;
  }

  std::unique_ptr<ir::Program> program_;
  ScratchDirectory scratch_;
  NativeOptions options_;
  unsigned scripts_ = 0;
};

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
}

TEST_F(NativeBuildTest, SecondBuildComesFromTheCache) {
  EXPECT_FALSE(build());
  EXPECT_TRUE(build());
  ASSERT_EQ(cached_files().size(), 1u);
  struct stat info {};
  ASSERT_EQ(stat(options_.cache_dir.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  program_ = counter(6);
  EXPECT_FALSE(prepare()->cached());
}

TEST_F(NativeBuildTest, TextIsDeterministicAndHasNothingOfTheModel) {
  const std::string text = emit_c(*program_);
  EXPECT_EQ(text, emit_c(*counter(5)));
  for (const char* evil : {"evil", "??", "%s"})
    EXPECT_EQ(text.find(evil), std::string::npos) << evil;
}

TEST_F(NativeBuildTest, DamagedFilesAreMadeAgain) {
  EXPECT_FALSE(build());
  const fs::path file = cached_files().front();
  const auto size = fs::file_size(file);
  for (const std::uintmax_t at : {std::uintmax_t{0}, size / 2, size - 40, size - 1}) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const int byte = stream.get();
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(byte ^ 1));
    stream.close();
    EXPECT_FALSE(build()) << "byte " << at;
    EXPECT_TRUE(build());
  }
  for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{10}, size / 2, size - 1}) {
    fs::resize_file(file, length);
    EXPECT_FALSE(build()) << "length " << length;
    EXPECT_TRUE(build());
  }
}

TEST_F(NativeBuildTest, UnusableCacheIsOnlyAWarning) {
  std::ofstream(scratch_.path() + "/file") << "not a directory";
  for (const std::string& place :
       {scratch_.path() + "/file", scratch_.path() + "/file/cache", std::string("/proc/no")}) {
    options_.cache_dir = place;
    std::string warning;
    EXPECT_FALSE(build(&warning));
    EXPECT_NE(warning.find("not kept"), std::string::npos) << warning;
    EXPECT_FALSE(build());
  }
}

TEST_F(NativeBuildTest, FailingToKeepAFileIsOnlyAWarning) {
  // The name is taken by a directory, so the finished file cannot get it.
  ASSERT_FALSE(build());
  const std::string key = cached_files().front().stem();
  fs::remove_all(options_.cache_dir);
  fs::create_directories(options_.cache_dir + "/" + key + ".so/occupied");
  std::string warning;
  EXPECT_FALSE(build(&warning));
  EXPECT_NE(warning.find("not kept"), std::string::npos) << warning;
}

TEST_F(NativeBuildTest, CompilerIsFoundOrNamed) {
  options_.compiler = "/nonexistent/cc";
  EXPECT_NE(failure().find("no C compiler: '/nonexistent/cc'"), std::string::npos) << failure();
  options_.compiler = "no-such-compiler-anywhere";
  EXPECT_NE(failure().find("in PATH"), std::string::npos);
  options_.compiler = "   ";
  EXPECT_NE(failure().find("no C compiler"), std::string::npos);
  options_.compiler = scratch_.path();  // a directory
  EXPECT_NE(failure().find("no C compiler"), std::string::npos);
  options_.compiler = "  cc   -DUNUSED=1 ";
  EXPECT_FALSE(build());
  EXPECT_TRUE(build());
  options_.compiler = "cc -DUNUSED=2";
  EXPECT_FALSE(prepare()->cached());
}

TEST_F(NativeBuildTest, EnvironmentNamesTheCompiler) {
  setenv("CC", "/nonexistent/from-environment", 1);
  EXPECT_NE(failure().find("from-environment"), std::string::npos);
  setenv("CC", "", 1);
  EXPECT_NE(failure().find("no C compiler"), std::string::npos);
  unsetenv("CC");
  EXPECT_FALSE(build());
}

TEST_F(NativeBuildTest, CompilerErrorsAreReported) {
  options_.compiler = script("cat > /dev/null; printf 'first line\\nsecond \\033[31m line\\n' >&2; exit 3");
  const std::string said = failure();
  EXPECT_NE(said.find("ended with status 3"), std::string::npos) << said;
  EXPECT_NE(said.find("first line\nsecond ?[31m line"), std::string::npos) << said;
  options_.compiler = script("kill -9 $$");
  EXPECT_NE(failure().find("signal 9"), std::string::npos);
  options_.compiler = script("exit 0");  // and no file
  EXPECT_NE(failure().find("cannot load"), std::string::npos) << failure();
  options_.compiler = script("for out; do :; done; echo nonsense > \"$out\"");
  EXPECT_NE(failure().find("cannot load"), std::string::npos) << failure();
  options_.compiler = script("#");
  std::ofstream(options_.compiler, std::ios::trunc) << "#!/nonexistent/interpreter\n";
  EXPECT_NE(failure().find("cannot run"), std::string::npos) << failure();
}

TEST_F(NativeBuildTest, PollDoesNotBlockAndTheDestructorEndsTheCompiler) {
  const std::string pid_file = scratch_.path() + "/pid";
  options_.compiler =
      script("sleep 1000 & echo $! > " + pid_file + ".draft; mv " + pid_file + ".draft " + pid_file + "; wait");
  const auto before = std::chrono::steady_clock::now();
  pid_t grandchild = 0;
  {
    const std::unique_ptr<NativeBuild> made = prepare();
    EXPECT_FALSE(made->poll());
    made->start();
    made->start();
    for (unsigned i = 0; i < 1000 && !fs::exists(pid_file); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream(pid_file) >> grandchild;
    ASSERT_GT(grandchild, 0);
    EXPECT_FALSE(made->poll());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  // The grandchild was ended with the group; its new parent may need a moment to collect it.
  std::string state = "Z";
  for (unsigned i = 0; i < 200 && kill(grandchild, 0) == 0; ++i) {
    std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
    std::string skip;
    status >> skip >> skip >> state;
    if (state == "Z")
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(kill(grandchild, 0) != 0 || state == "Z");
}

TEST_F(NativeBuildTest, PollSeesTheEnd) {
  const std::unique_ptr<NativeBuild> made = prepare();
  made->start();
  for (unsigned i = 0; i < 6000 && !made->poll(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(made->poll());
  EXPECT_GT(made->compile_seconds(), 0);
  EXPECT_TRUE(made->take().is_ok());
}

TEST_F(NativeBuildTest, NothingIsLeftOpenOrBehind) {
  EXPECT_FALSE(build());
  const std::size_t before = open_descriptors();
  for (const char* compiler : {"cc -DAGAIN=1", "cc -DAGAIN=2", "false"}) {
    options_.compiler = compiler;
    (void)prepare()->take();
  }
  EXPECT_EQ(open_descriptors(), before);
  const ScratchDirectory temporary;
  setenv("TMPDIR", temporary.path().c_str(), 1);
  options_.compiler = "cc -DAGAIN=3";
  EXPECT_FALSE(build());
  unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

TEST_F(NativeBuildTest, ConcurrentBuildsShareTheCache) {
  const std::unique_ptr<NativeBuild> first = prepare();
  const std::unique_ptr<NativeBuild> second = prepare();
  first->start();
  second->start();
  EXPECT_TRUE(second->take().is_ok());
  EXPECT_TRUE(first->take().is_ok());
  EXPECT_TRUE(build());
  EXPECT_EQ(cached_files().size(), 1u);
}

TEST_F(NativeBuildTest, EnginesOutliveTheBuildAndTheFile) {
  std::unique_ptr<NextState> native;
  {
    std::unique_ptr<Engine> engine = std::move(prepare()->take().value());
    EXPECT_STREQ(engine->name(), "native");
    native = engine->make();
  }
  fs::remove_all(options_.cache_dir);
  EXPECT_TRUE(compare_engines(*program_, *native, 100).agreed);
}

TEST(NativeCache, TrimRemovesTheOldest) {
  const ScratchDirectory scratch;
  const std::string source = scratch.path() + "/source";
  std::ofstream(source) << std::string(1000, 'x');
  NativeCache cache(scratch.path() + "/deep/er/cache");
  ASSERT_TRUE(cache.status().is_ok());
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_TRUE(cache.keep(key, source).is_ok());
    const auto age = std::chrono::hours(10) - std::chrono::hours(key[0] - 'a');
    fs::last_write_time(cache.directory() + "/" + key + ".so", fs::file_time_type::clock::now() - age);
  }
  EXPECT_NE(cache.find("a"), "");  // used: now the youngest
  cache.trim(2200);
  EXPECT_NE(cache.find("a"), "");
  EXPECT_EQ(cache.find("b"), "");
  EXPECT_NE(cache.find("c"), "");
  cache.trim(0);
  EXPECT_EQ(cache.find("a"), "");
  EXPECT_FALSE(cache.keep("d", scratch.path() + "/absent").is_ok());
}

TEST(NativeCache, KeysDependOnEveryByte) {
  EXPECT_EQ(NativeCache::key_of("abc").size(), 32u);
  EXPECT_NE(NativeCache::key_of("abc"), NativeCache::key_of("abd"));
  EXPECT_NE(NativeCache::key_of(""), NativeCache::key_of(std::string(1, '\0')));
}

}  // namespace
}  // namespace tideline::test
