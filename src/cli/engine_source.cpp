// SPDX-License-Identifier: MIT
// Starting, awaiting and taking over the native engine.
#include "cli/engine_source.h"

#include <thread>
#include <utility>

namespace tideline::cli {

namespace {

constexpr double kLookInCacheAfterSeconds = 0.02;
constexpr double kStartCompilerAfterSeconds = 0.15;

}  // namespace

CliEngineSource::CliEngineSource(const ir::Program& program, const std::string& choice,
                                 std::function<void(const std::string&)> say)
    : program_(program), say_(std::move(say)), interp_(program), may_compile_(choice == "auto") {}

double CliEngineSource::elapsed_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Status CliEngineSource::compile_first(const std::atomic<bool>& interrupted) {
  build_ = NativeBuild::prepare(program_, NativeOptions());
  build_->start();
  while (!build_->poll()) {
    if (interrupted.load())
      return Status::error("interrupted while the C compiler was running");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  Result<std::unique_ptr<Engine>> engine = build_->take();
  if (!engine.is_ok())
    return engine.status();
  compile_seconds_ = build_->compile_seconds();
  native_ = std::move(engine.value());
  current_ = native_.get();
  label_ = "native";
  return Status::ok();
}

Engine* CliEngineSource::poll() {
  if (!may_compile_)
    return nullptr;
  if (build_ == nullptr) {
    if (elapsed_seconds() < kLookInCacheAfterSeconds)
      return nullptr;
    build_ = NativeBuild::prepare(program_, NativeOptions());
    started_ = build_->cached();
  }
  if (!started_) {
    if (elapsed_seconds() < kStartCompilerAfterSeconds)
      return nullptr;
    build_->start();
    started_ = true;
    label_ = "interp, compiling";
  }
  if (!build_->poll())
    return nullptr;
  may_compile_ = false;
  Result<std::unique_ptr<Engine>> engine = build_->take();
  compile_seconds_ = build_->compile_seconds();
  if (!engine.is_ok()) {
    label_ = "interp";
    say_("going on with the interpreter: " + engine.status().message());
    return nullptr;
  }
  native_ = std::move(engine.value());
  current_ = native_.get();
  label_ = "native";
  return current_;
}

}  // namespace tideline::cli
