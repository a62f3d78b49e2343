// SPDX-License-Identifier: MIT
// Environment errors (no space, unreadable file, compiler failed): values, never exceptions, never ignored.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/check.h"

namespace tideline {

// Success, or a sentence that names the object (path, offset) and the reason (errno's text).
class [[nodiscard]] Status {
 public:
  Status() = default;
  static Status ok() { return {}; }
  static Status error(std::string message) {
    Status status;
    status.message_ = std::move(message);
    return status;
  }
  // A limit that the user has set (--disk) is reached: nothing is broken, and the run can be resumed with more.
  static Status limit(std::string message) {
    Status status = error(std::move(message));
    status.is_limit_ = true;
    return status;
  }
  // An error of the last system call: "<what>: <text of errno>".
  static Status from_errno(const std::string& what);

  [[nodiscard]] bool is_ok() const { return !message_.has_value(); }
  [[nodiscard]] bool is_limit() const { return is_limit_; }
  [[nodiscard]] const std::string& message() const {
    CHECK(message_.has_value());
    return *message_;
  }

 private:
  std::optional<std::string> message_;
  bool is_limit_ = false;
};

// A value, or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : value_(std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) { CHECK(!status_.is_ok()); }

  [[nodiscard]] bool is_ok() const { return value_.has_value(); }
  [[nodiscard]] const Status& status() const { return status_; }
  T& value() {
    CHECK(value_.has_value());
    return *value_;
  }
  const T& value() const {
    CHECK(value_.has_value());
    return *value_;
  }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace tideline
