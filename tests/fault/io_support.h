// SPDX-License-Identifier: MIT
// What tests of files share: a place for them on each sort of Env, and how to look at a Status.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>  // mkdtemp

#include <filesystem>
#include <memory>
#include <string>

#include "fault/faulty_env.h"
#include "io/env.h"

namespace tideline {

// Removed with what is in it at the end.
class TempDirectory {
 public:
  TempDirectory() : path_(testing::TempDir() + "tideline_test_XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr)
      std::abort();
  }
  ~TempDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

enum class EnvKind { kReal, kDirect, kMemory };

inline std::string name_of(EnvKind kind) {
  return kind == EnvKind::kReal ? "Real" : kind == EnvKind::kDirect ? "Direct" : "Memory";
}

// An Env and an empty directory in it.
class Place {
 public:
  explicit Place(EnvKind kind) {
    if (kind == EnvKind::kMemory) {
      env_ = std::make_unique<FaultyEnv>();
      root_ = "/tmp";
      return;
    }
    temp_ = std::make_unique<TempDirectory>();
    env_ = make_real_env(kind == EnvKind::kDirect);
    root_ = temp_->path();
  }
  [[nodiscard]] Env& env() const { return *env_; }
  [[nodiscard]] std::string path(const std::string& name) const { return root_ + "/" + name; }
  [[nodiscard]] const std::string& root() const { return root_; }

 private:
  std::unique_ptr<TempDirectory> temp_;
  std::unique_ptr<Env> env_;
  std::string root_;
};

// For EXPECT_TRUE(succeeds(...)): the message is shown otherwise.
inline testing::AssertionResult succeeds(const Status& status) {
  return status.is_ok() ? testing::AssertionSuccess() : testing::AssertionFailure() << status.message();
}

template <typename T>
testing::AssertionResult succeeds(const Result<T>& result) {
  return result.is_ok() ? testing::AssertionSuccess() : testing::AssertionFailure() << result.status().message();
}

// For EXPECT_TRUE(fails_with(..., "part of the message")).
inline testing::AssertionResult fails_with(const Status& status, const std::string& part) {
  if (status.is_ok())
    return testing::AssertionFailure() << "no error, expected: " << part;
  if (status.message().find(part) == std::string::npos)
    return testing::AssertionFailure() << "'" << status.message() << "' has no '" << part << "'";
  return testing::AssertionSuccess();
}

template <typename T>
testing::AssertionResult fails_with(const Result<T>& result, const std::string& part) {
  return fails_with(result.is_ok() ? Status::ok() : result.status(), part);
}

// A file with these contents.
inline void put_file(Env& env, const std::string& path, const std::string& contents) {
  Result<std::unique_ptr<File>> file = env.create(path);
  ASSERT_TRUE(succeeds(file));
  ASSERT_TRUE(succeeds(file.value()->append(contents.data(), contents.size())));
  ASSERT_TRUE(succeeds(file.value()->flush()));
}

}  // namespace tideline
