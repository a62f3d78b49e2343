// SPDX-License-Identifier: MIT
// The machine's C compiler as a child process: found in PATH, started without a shell, fed from memory, its messages
// kept in memory, ended with its whole process group.
//
// C1  no descriptor of ours stays open in the child and none of the child's in us; a child is always reaped.
// Threads: one object is used by one thread at a time.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/status.h"

namespace tideline {

struct Compiler {
  std::vector<std::string>
      command;           // program (an absolute path, or relative as the user gave it) and its first arguments
  std::string identity;  // changes when the program file does
};

// `text` is split at spaces ("ccache gcc -m64"); the program is looked up in PATH unless it contains a slash.
Result<Compiler> find_compiler(const std::string& text);

class Compilation {
 public:
  Compilation() = default;
  ~Compilation();  // ends the child
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  // Runs the compiler with `arguments` behind its own and `input` as standard input.
  Status start(const Compiler& compiler, const std::vector<std::string>& arguments, const std::string& input);
  [[nodiscard]] bool is_running() const { return child_ > 0; }
  // Has it ended? Never blocks.
  bool poll();
  void wait();
  // After it has ended: success, or what it said.
  [[nodiscard]] Status result() const { return result_; }

 private:
  void finish(int wait_status);

  pid_t child_ = 0;
  int messages_ = -1;
  std::string program_;
  Status result_;
};

}  // namespace tideline
