// SPDX-License-Identifier: MIT
#include "search/search.h"

#include "base/check.h"

namespace tideline {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kViolated:
      return "violated";
    case Verdict::kUnknown:
      return "unknown";
  }
  CHECK(false && "no such verdict");
}

const char* reason_name(Reason reason) {
  switch (reason) {
    case Reason::kComplete:
      return "complete";
    case Reason::kInvariant:
      return "invariant";
    case Reason::kDeadlock:
      return "deadlock";
    case Reason::kAssertion:
      return "assertion";
    case Reason::kError:
      return "error";
    case Reason::kCover:
      return "cover";
    case Reason::kMemory:
      return "memory";
    case Reason::kTime:
      return "time";
    case Reason::kInterrupted:
      return "interrupted";
    case Reason::kDisk:
      return "disk";
    case Reason::kEnvironment:
      return "environment";
  }
  CHECK(false && "no such reason");
}

}  // namespace tideline
