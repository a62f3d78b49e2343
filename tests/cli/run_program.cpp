// SPDX-License-Identifier: MIT
// Child processes for tests.
#include "cli/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace tideline::testing {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> make_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('='))))
      result.push_back(text);
  }
  for (const auto& [name, value] : changes)
    result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words)
    result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// The limit is inherited by the child and taken back in this process.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uint64_t bytes) : active_(bytes > 0) {
    if (!active_)
      return;
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    if (active_)
      ::setrlimit(RLIMIT_FSIZE, &before_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  bool active_;
  rlimit before_{};
};

void add_output(posix_spawn_file_actions_t& actions, int fd, const std::string& path, const fs::path& usual) {
  if (path == "closed")
    ::posix_spawn_file_actions_addclose(&actions, fd);
  else
    ::posix_spawn_file_actions_addopen(&actions, fd, path.empty() ? usual.c_str() : path.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

pid_t spawn(const std::vector<std::string>& arguments, const RunOptions& options, const fs::path& root) {
  std::vector<std::string> words = {TIDELINE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::map<std::string, std::string> changes = options.environment;
  changes.try_emplace("TIDELINE_CACHE", (root / "cache").string());
  std::vector<std::string> environment = make_environment(changes);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, (root / "stdin").c_str(), O_RDONLY, 0);
  add_output(actions, STDOUT_FILENO, options.out_path, root / "stdout");
  add_output(actions, STDERR_FILENO, options.err_path, root / "stderr");
  pid_t pid = -1;
  int error = 0;
  {
    const FileSizeLimit limit(options.file_bytes_max);
    error =
        ::posix_spawn(&pid, words[0].c_str(), &actions, nullptr, pointers(words).data(), pointers(environment).data());
  }
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw std::runtime_error("cannot start " + words[0]);
  return pid;
}

int exit_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

}  // namespace

Sandbox::Sandbox() {
  std::string name = (fs::temp_directory_path() / "tideline_test_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no temporary directory");
  root_ = name;
}

Sandbox::~Sandbox() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::string Sandbox::write(const std::string& name, std::string_view text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

std::string Sandbox::read(const std::string& name) const {
  std::ifstream in(path(name), std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

RunResult Sandbox::run(const std::vector<std::string>& arguments, const RunOptions& options) const {
  using Clock = std::chrono::steady_clock;
  write("stdin", options.input);
  const Clock::time_point begin = Clock::now();
  const pid_t pid = spawn(arguments, options, root_);
  RunResult result;
  bool interrupted = false;
  int wait_status = 0;
  while (::waitpid(pid, &wait_status, WNOHANG) == 0) {
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (options.interrupt_after_seconds > 0 && !interrupted && result.seconds > options.interrupt_after_seconds) {
      ::kill(pid, SIGINT);
      interrupted = true;
    }
    if (options.kill_after_seconds > 0 && result.seconds > options.kill_after_seconds)
      ::kill(pid, SIGKILL);
    if (result.seconds > options.timeout_seconds) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, &wait_status, 0);
      result.out = read("stdout");
      result.err = read("stderr") + "\n(ended by the test: too slow)";
      return result;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  result.status = exit_status(wait_status);
  result.out = read("stdout");
  result.err = read("stderr");
  return result;
}

}  // namespace tideline::testing
