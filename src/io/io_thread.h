// SPDX-License-Identifier: MIT
// A thread that reads and writes for others, so that they can compute meanwhile. Jobs are done in the order in which
// they were given. The thread begins with the first job; signals are not delivered to it.
//
// Memory: a stack, and what waits in the queue (each AsyncFile and each ReadAhead has at most one job in it).
// Threads: submit() may be called by several at once.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "base/status.h"

namespace tideline {

class IoThread {
 public:
  IoThread() = default;
  // What was submitted is done first.
  ~IoThread();
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;

  std::future<Status> submit(std::function<Status()> job);
  [[nodiscard]] bool started();

 private:
  void start();
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<Status()>> jobs_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace tideline
