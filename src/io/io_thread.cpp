// SPDX-License-Identifier: MIT
#include "io/io_thread.h"

#include <pthread.h>

#include <csignal>

namespace tideline {

IoThread::~IoThread() {
  {
    const std::lock_guard guard(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable())
    thread_.join();
}

bool IoThread::started() {
  const std::lock_guard guard(mutex_);
  return thread_.joinable();
}

// A thread inherits the mask: signals are for those who know what to do with them.
void IoThread::start() {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::future<Status> IoThread::submit(std::function<Status()> job) {
  std::packaged_task<Status()> task(std::move(job));
  std::future<Status> result = task.get_future();
  {
    const std::lock_guard guard(mutex_);
    if (!thread_.joinable())
      start();
    jobs_.push_back(std::move(task));
  }
  changed_.notify_one();
  return result;
}

void IoThread::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    if (jobs_.empty())
      return;
    std::packaged_task<Status()> task = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace tideline
