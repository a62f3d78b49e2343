// SPDX-License-Identifier: MIT
#include "exec/native/native_engine.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include "base/check.h"

namespace tideline {
namespace {

// A shared object that stays loaded while it is used.
class Library {
 public:
  explicit Library(void* handle) : handle_(handle) {}
  ~Library() { (void)dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

 private:
  void* handle_;
};

// Zeroed memory that takes room only where it is touched, since recursion rarely goes as deep as it may.
class Arena {
 public:
  explicit Arena(std::uint64_t words) : bytes_(words * sizeof(std::uint64_t)) {
    if (bytes_ == 0)
      return;
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED)
      memory_ = nullptr;
  }
  ~Arena() {
    if (memory_ != nullptr)
      (void)munmap(memory_, bytes_);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] bool is_ok() const { return bytes_ == 0 || memory_ != nullptr; }
  [[nodiscard]] std::uint64_t* words() const { return static_cast<std::uint64_t*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

class NativeState final : public NextState {
 public:
  NativeState(std::shared_ptr<Library> library, const tl_module& module)
      : library_(std::move(library)),
        module_(module),
        arena_(module.arena_words),
        covered_(module.covers, 0),
        passed_(module.covers, 0) {
    CHECK(arena_.is_ok());
    context_.covered = covered_.data();
    context_.arena = arena_.words();
  }

  [[nodiscard]] std::size_t words() const override { return module_.words; }
  void initial(Successors& out) override { module_.initial(&context_, out.raw()); }
  void expand(const Word* state, Successors& out) override { module_.expand(&context_, state, out.raw()); }
  CheckResult check(const Word* state) override {
    const std::uint64_t result = module_.check(&context_, state);
    const auto property = static_cast<std::uint32_t>(result >> 2);
    switch (result & 3) {
      case TL_PROPERTY_VIOLATED:
        return {CheckResult::Kind::kViolated, property};
      case TL_PROPERTY_FAILED:
        return {CheckResult::Kind::kFailed, property};
      default:
        return {};
    }
  }
  void progress(const Word* states, std::size_t count, std::uint64_t* keys) override {
    context_.covered = passed_.data();
    module_.progress(&context_, states, count, keys);
    context_.covered = covered_.data();
  }
  [[nodiscard]] const std::vector<std::uint8_t>& covered() const override { return covered_; }

 private:
  std::shared_ptr<Library> library_;
  const tl_module& module_;
  Arena arena_;
  std::vector<std::uint8_t> covered_;
  std::vector<std::uint8_t> passed_;  // cover points that a measure passes: nobody asks
  tl_context context_{};
};

class NativeEngine final : public Engine {
 public:
  NativeEngine(std::shared_ptr<Library> library, const tl_module& module)
      : library_(std::move(library)), module_(module) {}
  [[nodiscard]] const char* name() const override { return "native"; }
  std::unique_ptr<NextState> make() override { return std::make_unique<NativeState>(library_, module_); }

 private:
  std::shared_ptr<Library> library_;
  const tl_module& module_;
};

}  // namespace

Result<std::unique_ptr<Engine>> load_native(const ir::Program& program, const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = dlerror();
    return Status::error("cannot load the compiled model: " + std::string(why == nullptr ? path : why));
  }
  auto library = std::make_shared<Library>(handle);
  const auto* module = static_cast<const tl_module*>(dlsym(handle, "tl_model"));
  if (module == nullptr || module->abi != TL_ABI || module->words != program.state_words() ||
      module->covers != program.covers.size())
    return Status::error("the compiled model " + path + " does not belong to this program");
  if (!Arena(module->arena_words).is_ok())
    return Status::error("the system refused memory for the model's local variables");
  return std::unique_ptr<Engine>(std::make_unique<NativeEngine>(std::move(library), *module));
}

}  // namespace tideline
