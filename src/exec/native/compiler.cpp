// SPDX-License-Identifier: MIT
#include "exec/native/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>

extern char** environ;  // NOLINT: POSIX

namespace tideline {
namespace {

constexpr std::size_t kMessageBytesMax = 4096;
constexpr unsigned kMessageLinesMax = 6;

bool is_program(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string find_in_path(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return is_program(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(candidate))
      return candidate;
  }
  return "";
}

// An anonymous file in memory, closed in children.
int memory_file(const std::string& content) {
  const int file = memfd_create("tideline", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t some = write(file, content.data() + done, content.size() - done);
    if (some < 0 && errno == EINTR)
      continue;
    if (some <= 0) {
      close(file);
      return -1;
    }
    done += static_cast<std::size_t>(some);
  }
  (void)lseek(file, 0, SEEK_SET);
  return file;
}

// The first lines, control characters made harmless.
std::string first_lines(int file) {
  std::string text(kMessageBytesMax, '\0');
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  std::string shown;
  unsigned lines = 0;
  for (const char c : text) {
    if (c == '\n' && ++lines == kMessageLinesMax)
      break;
    shown += (c == '\n' || (c >= ' ' && c <= '~')) ? c : '?';
  }
  while (!shown.empty() && shown.back() == '\n')
    shown.pop_back();
  return shown;
}

// Owns the file actions and attributes of one posix_spawn call.
struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

}  // namespace

Result<Compiler> find_compiler(const std::string& text) {
  Compiler compiler;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    compiler.command.push_back(word);
  if (compiler.command.empty())
    return Status::error("no C compiler: the name given is empty");
  const std::string path = find_in_path(compiler.command.front());
  if (path.empty())
    return Status::error("no C compiler: '" + compiler.command.front() + "' is not an executable file" +
                         (compiler.command.front().find('/') == std::string::npos ? " in PATH" : ""));
  compiler.command.front() = path;
  struct stat info {};
  (void)stat(path.c_str(), &info);
  compiler.identity = fmt::format("{} {} {} {}", fmt::join(compiler.command, " "), info.st_size, info.st_mtim.tv_sec,
                                  info.st_mtim.tv_nsec);
  return compiler;
}

Compilation::~Compilation() {
  if (child_ > 0) {
    (void)kill(-child_, SIGKILL);
    wait();
  }
  if (messages_ >= 0)
    close(messages_);
}

Status Compilation::start(const Compiler& compiler, const std::vector<std::string>& arguments,
                          const std::string& input) {
  CHECK(child_ == 0 && messages_ < 0);
  program_ = compiler.command.front();
  const int source = memory_file(input);
  messages_ = memory_file("");
  if (source < 0 || messages_ < 0) {
    Status status = Status::from_errno("cannot make a file in memory for the C compiler");
    if (source >= 0)
      close(source);
    return status;
  }
  SpawnSettings settings;
  posix_spawn_file_actions_adddup2(&settings.actions, source, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, messages_, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, messages_, STDERR_FILENO);
  sigset_t none;
  sigset_t usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE, SIGCHLD})
    sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&settings.attributes, &none);
  posix_spawnattr_setsigdefault(&settings.attributes, &usual);
  posix_spawnattr_setpgroup(&settings.attributes, 0);
  posix_spawnattr_setflags(&settings.attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words = compiler.command;
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error =
      posix_spawn(&child_, program_.c_str(), &settings.actions, &settings.attributes, argv.data(), environ);
  close(source);
  if (error != 0) {
    child_ = 0;
    errno = error;
    return Status::from_errno("cannot run the C compiler " + program_);
  }
  return Status::ok();
}

bool Compilation::poll() {
  if (child_ == 0)
    return true;
  int wait_status = 0;
  const pid_t ended = waitpid(child_, &wait_status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR))
    return false;
  finish(ended < 0 ? -1 : wait_status);
  return true;
}

void Compilation::wait() {
  while (child_ > 0) {
    int wait_status = 0;
    const pid_t ended = waitpid(child_, &wait_status, 0);
    if (ended < 0 && errno == EINTR)
      continue;
    finish(ended < 0 ? -1 : wait_status);
  }
}

void Compilation::finish(int wait_status) {
  child_ = 0;
  if (wait_status >= 0 && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0)
    return;
  std::string how = "failed";
  if (wait_status >= 0 && WIFEXITED(wait_status))
    how = fmt::format("ended with status {}", WEXITSTATUS(wait_status));
  else if (wait_status >= 0 && WIFSIGNALED(wait_status))
    how = fmt::format("was ended by signal {}", WTERMSIG(wait_status));
  const std::string said = first_lines(messages_);
  result_ = Status::error("the C compiler " + program_ + " " + how + (said.empty() ? "" : ":\n" + said));
}

}  // namespace tideline
