// SPDX-License-Identifier: MIT
// The source text itself: what a reviewer should not have to look for.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/options.h"
#include "search/figures.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kColumnsMax = 120;
constexpr std::size_t kLinesMax = 800;

struct SourceFile {
  std::string path;  // relative to the repository
  std::vector<std::string> lines;

  [[nodiscard]] bool is_under(std::string_view folder) const { return path.starts_with(folder); }
  [[nodiscard]] bool has_suffix(std::string_view suffix) const { return path.ends_with(suffix); }
  [[nodiscard]] bool is_cpp() const { return has_suffix(".cpp") || has_suffix(".h"); }
};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

bool is_ours(const fs::path& path) {
  static const std::set<std::string> suffixes = {".cpp", ".h",    ".l", ".y",   ".sh", ".cmake", ".md", ".txt",
                                                 ".bib", ".json", ".m", ".yml", ".py", ".pml",   ".dve"};
  const std::string name = path.filename().string();
  return suffixes.contains(path.extension().string()) || name == "dev" || name == "run";
}

const std::vector<SourceFile>& all_files() {
  static const std::vector<SourceFile> files = [] {
    std::vector<SourceFile> result;
    const fs::path root = TIDELINE_SOURCE_DIR;
    for (fs::recursive_directory_iterator it(root), end; it != end; ++it) {
      const std::string name = it->path().filename().string();
      if (it->is_directory() && (name == "build" || name == ".git" || name == ".cache")) {
        it.disable_recursion_pending();
        continue;
      }
      if (it->is_regular_file() && is_ours(it->path()))
        result.push_back({fs::relative(it->path(), root).string(), split_lines(read_file(it->path()))});
    }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return result;
  }();
  return files;
}

// Reports each line for which `is_bad` holds.
void refuse_lines(const std::function<bool(const SourceFile&)>& applies, const std::string& what,
                  const std::function<bool(const std::string&)>& is_bad) {
  for (const SourceFile& file : all_files()) {
    if (!applies(file))
      continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (is_bad(file.lines[i]))
        ADD_FAILURE() << file.path << ":" << i + 1 << ": " << what;
    }
  }
}

bool is_code(const SourceFile& file) {
  return file.is_cpp() || file.has_suffix(".l") || file.has_suffix(".y") || file.has_suffix(".sh") ||
         file.has_suffix(".cmake") || file.has_suffix(".py") || file.has_suffix(".pml") ||
         file.has_suffix("CMakeLists.txt") || file.path == "dev" || file.path == ".ci/run";
}

std::string text_of(const std::string& path) {
  return read_file(fs::path(TIDELINE_SOURCE_DIR) / path);
}

TEST(Source, FindsItself) {
  EXPECT_TRUE(std::any_of(all_files().begin(), all_files().end(),
                          [](const SourceFile& file) { return file.path == "tests/tidy/source_test.cpp"; }));
}

TEST(Source, LinesAreShort) {
  refuse_lines(is_code, "the line is longer than 120 characters", [](const std::string& line) {
    const auto continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    return line.size() - static_cast<std::size_t>(std::count_if(line.begin(), line.end(), continuation)) > kColumnsMax;
  });
}

TEST(Source, NoTabsOrTrailingSpace) {
  refuse_lines(is_code, "trailing space, tab or carriage return", [](const std::string& line) {
    return line.find_first_of("\t\r") != std::string::npos || line.ends_with(' ');
  });
}

TEST(Source, FilesAreShort) {
  for (const SourceFile& file : all_files()) {
    if (!file.is_cpp())
      continue;
    EXPECT_LE(file.lines.size(), kLinesMax) << file.path << ": which second concept moved in?";
  }
}

TEST(Source, LicenceComesFirst) {
  for (const SourceFile& file : all_files()) {
    if (!is_code(file))
      continue;
    const std::size_t line = !file.lines.empty() && file.lines[0].starts_with("#!") ? 1 : 0;
    ASSERT_GT(file.lines.size(), line) << file.path << " is empty";
    EXPECT_NE(file.lines[line].find("SPDX-License-Identifier: MIT"), std::string::npos) << file.path;
  }
}

// A header says what it is; a .cpp may leave that to its header.
TEST(Source, HeaderCommentIsThere) {
  for (const SourceFile& file : all_files()) {
    if (!file.is_cpp() || file.lines.size() < 2)
      continue;
    const bool has_comment = file.lines[1].starts_with("// ") || file.lines[1].starts_with("/* ");
    const bool has_header = file.has_suffix(".cpp") &&
                            fs::exists(fs::path(TIDELINE_SOURCE_DIR) / fs::path(file.path).replace_extension(".h"));
    EXPECT_TRUE(has_comment || has_header) << file.path << ": no comment below the SPDX line";
  }
}

TEST(Source, TodosHaveAnIssue) {
  static const std::regex todo("(TODO|FIXME|XXX)");
  static const std::regex numbered("TODO\\(#[0-9]+\\)");
  refuse_lines([](const SourceFile& file) { return is_code(file) && file.path != "tests/tidy/source_test.cpp"; },
               "write TODO(#issue)",
               [](const std::string& line) {
                 return std::regex_search(line, todo) && !std::regex_search(line, numbered) &&
                        line.find("XXXXXX") == std::string::npos;  // mkstemp templates
               });
}

// GCC may drop a call of a function that does nothing else (base/prefetch.h).
TEST(Source, PrefetchesGoThroughOneFunction) {
  refuse_lines(
      [](const SourceFile& file) {
        return file.is_cpp() && file.path != "src/base/prefetch.h" && file.path != "tests/tidy/source_test.cpp";
      },
      "use base/prefetch.h",
      [](const std::string& line) { return line.find("__builtin_prefetch") != std::string::npos; });
}

TEST(Source, NoMachinePaths) {
  static const std::regex machine("(^|[^A-Za-z0-9_./])/(work|home|root|Users)/");
  refuse_lines([](const SourceFile& file) { return file.path != "tests/tidy/source_test.cpp"; },
               "a path of somebody's machine",
               [](const std::string& line) { return std::regex_search(line, machine); });
}

// [stern.98.cav, korf.04.aaai] names entries of docs/refs.bib.
TEST(Source, CiteKeysExist) {
  const std::string bib = text_of("docs/refs.bib");
  static const std::regex cite("\\[([a-z]+\\.[0-9]{2}\\.[a-z0-9]+(, [a-z]+\\.[0-9]{2}\\.[a-z0-9]+)*)\\]");
  static const std::regex key("[a-z]+\\.[0-9]{2}\\.[a-z0-9]+");
  for (const SourceFile& file : all_files()) {
    if ((!is_code(file) && !file.has_suffix(".md")) || file.path == "tests/tidy/source_test.cpp")
      continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      for (std::sregex_iterator group(line.begin(), line.end(), cite), end; group != end; ++group) {
        const std::string keys = (*group)[1];
        for (std::sregex_iterator one(keys.begin(), keys.end(), key); one != end; ++one)
          EXPECT_NE(bib.find("{" + one->str() + ","), std::string::npos)
              << file.path << ":" << i + 1 << ": no entry " << one->str() << " in docs/refs.bib";
      }
    }
  }
}

TEST(Options, EveryOneIsRead) {
  std::string code;
  for (const SourceFile& file : all_files()) {
    if (file.is_under("src/") && !file.is_under("src/base/options")) {
      for (const std::string& line : file.lines)
        code += line + "\n";
    }
  }
  for (const OptionInfo& option : option_table()) {
    std::string member = option.name;
    std::replace(member.begin(), member.end(), '-', '_');
    EXPECT_TRUE(std::regex_search(code, std::regex("options_?\\." + member + "\\b")))
        << option.name << " is never read";
  }
}

TEST(Options, TheManualMentionsEveryOne) {
  const std::string manual = text_of("docs/user/manual.md");
  for (const OptionInfo& option : option_table())
    EXPECT_NE(manual.find("`--" + option.name), std::string::npos) << option.name << " is not in docs/user/manual.md";
}

TEST(Figures, TheFormatMentionsEveryOne) {
  const std::string format = text_of("docs/formats/json.md") + text_of("docs/user/manual.md");
#define TIDELINE_MENTIONED(type, name, unit, meaning) \
  EXPECT_NE(format.find("`" #name "`"), std::string::npos) << #name << " is not documented";
  TIDELINE_FIGURES(TIDELINE_MENTIONED)
#undef TIDELINE_MENTIONED
}

}  // namespace
}  // namespace tideline
