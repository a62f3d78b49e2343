// SPDX-License-Identifier: MIT
#include "exec/native/native.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "exec/native/cache.h"
#include "exec/native/compiler.h"
#include "exec/native/emit_c.h"
#include "exec/native/native_engine.h"

namespace tideline {
namespace {

using Clock = std::chrono::steady_clock;

// A longer text is compiled with less optimisation: a run should not end before its compiler.
constexpr std::size_t kLongTextBytes = 600'000;

// Chosen by measurement; docs/design/native.md.
std::vector<std::string> compiler_flags(const std::string& text) {
  return {"-std=gnu11",
          text.size() > kLongTextBytes ? "-O1" : "-O2",
          "-fpeel-loops",
          "-fno-tree-vectorize",
          "-march=native",
          "-fno-strict-aliasing",
          "-fno-stack-protector",
          "-fPIC",
          "-shared",
          "-w",
          "-pipe"};
}

std::string compiler_name(const NativeOptions& options) {
  if (!options.compiler.empty())
    return options.compiler;
  const char* chosen = std::getenv("CC");
  return chosen != nullptr ? chosen : "cc";
}

// -march=native makes code for this processor only.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string all;
  for (std::string line; std::getline(info, line) && !line.empty();)
    if (line.starts_with("model") || line.starts_with("flags") || line.starts_with("vendor_id") ||
        line.starts_with("Features") || line.starts_with("CPU "))
      all += line + "\n";
  return all;
}

}  // namespace

struct NativeBuild::Impl {
  explicit Impl(const ir::Program& the_program, const NativeOptions& options)
      : program(the_program), cache(options.cache_dir) {}

  // Done: engine or status is set.
  [[nodiscard]] bool is_done() const { return engine != nullptr || !status.is_ok(); }

  // The compiler has ended: keep what it made and load it.
  void finish() {
    seconds = std::chrono::duration<double>(Clock::now() - started_at).count();
    status = compilation.result();
    if (!status.is_ok())
      return;
    std::string path = directory.path() + "/model.so";
    const Result<std::string> kept = cache.keep(key, path);
    if (kept.is_ok()) {
      load(kept.value());
      if (engine != nullptr)
        return;
      // For example a cache on a file system that forbids execution.
      warning = "compiled models cannot be loaded from the cache: " + status.message();
    } else {
      warning = "compiled models are not kept: " + kept.status().message();
    }
    load(path);
  }

  void load(const std::string& path) {
    Result<std::unique_ptr<Engine>> loaded = load_native(program, path);
    status = loaded.status();
    if (loaded.is_ok())
      engine = std::move(loaded.value());
  }

  const ir::Program& program;
  NativeCache cache;
  Compiler compiler;
  std::string text;
  std::string key;
  bool was_cached = false;
  bool started = false;
  PrivateDirectory directory;
  Compilation compilation;
  Clock::time_point started_at;
  double seconds = 0;
  std::string warning;
  Status status;
  std::unique_ptr<Engine> engine;
};

NativeBuild::NativeBuild(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

NativeBuild::~NativeBuild() = default;

std::unique_ptr<NativeBuild> NativeBuild::prepare(const ir::Program& program, const NativeOptions& options) {
  auto impl = std::make_unique<Impl>(program, options);
  Result<Compiler> compiler = find_compiler(compiler_name(options));
  if (!compiler.is_ok()) {
    impl->status = compiler.status();
    return std::unique_ptr<NativeBuild>(new NativeBuild(std::move(impl)));
  }
  impl->compiler = std::move(compiler.value());
  impl->text = emit_c(program);
  std::string identity = impl->text + "\n" + impl->compiler.identity + "\n" + processor();
  for (const std::string& flag : compiler_flags(impl->text))
    identity += flag + "\n";
  impl->key = NativeCache::key_of(identity);
  if (const std::string path = impl->cache.find(impl->key); !path.empty()) {
    impl->load(path);
    impl->was_cached = impl->engine != nullptr;
    impl->status = Status::ok();  // one that cannot be loaded is made again
  }
  return std::unique_ptr<NativeBuild>(new NativeBuild(std::move(impl)));
}

bool NativeBuild::cached() const {
  return impl_->was_cached;
}

void NativeBuild::start() {
  Impl& impl = *impl_;
  if (impl.started || impl.is_done())
    return;
  impl.started = true;
  impl.started_at = Clock::now();
  impl.status = impl.directory.make(impl.cache.directory());
  if (!impl.status.is_ok())
    return;
  std::vector<std::string> arguments = compiler_flags(impl.text);
  for (const std::string& argument :
       {std::string("-x"), std::string("c"), std::string("-"), std::string("-o"), impl.directory.path() + "/model.so"})
    arguments.push_back(argument);
  impl.status = impl.compilation.start(impl.compiler, arguments, impl.text);
}

bool NativeBuild::poll() {
  Impl& impl = *impl_;
  if (impl.is_done())
    return true;
  if (!impl.started || !impl.compilation.poll())
    return false;
  impl.finish();
  return true;
}

Result<std::unique_ptr<Engine>> NativeBuild::take() {
  Impl& impl = *impl_;
  start();
  if (!impl.is_done()) {
    impl.compilation.wait();
    impl.finish();
  }
  if (!impl.status.is_ok())
    return impl.status;
  CHECK(impl.engine != nullptr);
  return std::move(impl.engine);
}

double NativeBuild::compile_seconds() const {
  return impl_->seconds;
}

const std::string& NativeBuild::warning() const {
  return impl_->warning;
}

}  // namespace tideline
