// SPDX-License-Identifier: MIT
#include "search/manifest.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <nlohmann/json.hpp>

namespace tideline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kBytesMax = std::uint64_t{64} << 20;

// The first line: what it is, the version, and the checksum of all that follows.
std::string head_line(const std::string& body) {
  return fmt::format("tideline manifest {} {:016x}\n", kVersion, XXH3_64bits(body.data(), body.size()));
}

Json candidate_json(const std::optional<Candidate>& best) {
  if (!best)
    return nullptr;
  return Json{{"depth", best->depth},  {"reason", static_cast<unsigned>(best->reason)}, {"property", best->property},
              {"state", best->state},  {"command_fails", best->command_fails},          {"command", best->command},
              {"number", best->number}};
}

std::optional<Candidate> candidate_from(const Json& json) {
  if (json.is_null())
    return std::nullopt;
  Candidate best;
  best.depth = json.at("depth").get<std::uint64_t>();
  best.reason = static_cast<Reason>(json.at("reason").get<unsigned>());
  best.property = json.at("property").get<std::uint32_t>();
  best.state = json.at("state").get<std::vector<Word>>();
  best.command_fails = json.at("command_fails").get<bool>();
  best.command = json.at("command").get<ir::CommandId>();
  best.number = json.at("number").get<std::uint64_t>();
  return best;
}

Json state_json(const SearchState& state) {
  return Json{{"depth", state.depth},         {"visited", state.visited}, {"edges", state.edges},
              {"deadlocks", state.deadlocks}, {"errors", state.errors},   {"error_level", state.error_level},
              {"seconds", state.seconds},     {"covered", state.covered}, {"best", candidate_json(state.best)}};
}

SearchState state_from(const Json& json) {
  SearchState state;
  state.depth = json.at("depth").get<std::uint64_t>();
  state.visited = json.at("visited").get<std::uint64_t>();
  state.edges = json.at("edges").get<std::uint64_t>();
  state.deadlocks = json.at("deadlocks").get<std::uint64_t>();
  state.errors = json.at("errors").get<std::uint64_t>();
  state.error_level = json.at("error_level").get<std::uint64_t>();
  state.seconds = json.at("seconds").get<double>();
  state.covered = json.at("covered").get<std::vector<std::uint8_t>>();
  state.best = candidate_from(json.at("best"));
  return state;
}

Json set_json(const SavedSet& set) {
  Json files = Json::array();
  for (const SavedSet::SavedFile& file : set.files)
    files.push_back(Json{{"role", file.role}, {"name", file.name}, {"records", file.records}});
  return Json{{"files", std::move(files)}, {"numbers", set.numbers}};
}

SavedSet set_from(const Json& json) {
  SavedSet set;
  for (const Json& file : json.at("files"))
    set.files.push_back({file.at("role").get<std::string>(), file.at("name").get<std::string>(),
                         file.at("records").get<std::uint64_t>()});
  set.numbers = json.at("numbers").get<std::map<std::string, std::uint64_t>>();
  return set;
}

Json manifest_json(const Manifest& manifest) {
  const Settings& settings = manifest.settings;
  return Json{{"version", TIDELINE_VERSION},
              {"settings",
               {{"model", settings.model},
                {"model_hash", settings.model_hash},
                {"build", settings.build},
                {"options", settings.options},
                {"state_bits", settings.state_bits}}},
              {"state", state_json(manifest.state)},
              {"search", manifest.search},
              {"set", set_json(manifest.set)},
              {"names_given", manifest.names_given},
              {"io",
               {{"state_reads", manifest.state_reads},
                {"state_writes", manifest.state_writes},
                {"bytes_read", manifest.bytes_read},
                {"bytes_written", manifest.bytes_written}}}};
}

Manifest manifest_from(const Json& json) {
  Manifest manifest;
  const Json& settings = json.at("settings");
  manifest.settings.model = settings.at("model").get<std::string>();
  manifest.settings.model_hash = settings.at("model_hash").get<std::string>();
  manifest.settings.build = settings.value("build", std::string());  // earlier programs did not say
  manifest.settings.options = settings.at("options").get<std::vector<std::pair<std::string, std::string>>>();
  manifest.settings.state_bits = settings.at("state_bits").get<std::uint64_t>();
  manifest.state = state_from(json.at("state"));
  manifest.search = json.at("search").get<std::string>();
  manifest.set = set_from(json.at("set"));
  manifest.names_given = json.at("names_given").get<std::uint64_t>();
  const Json& io = json.at("io");
  manifest.state_reads = io.at("state_reads").get<std::uint64_t>();
  manifest.state_writes = io.at("state_writes").get<std::uint64_t>();
  manifest.bytes_read = io.at("bytes_read").get<std::uint64_t>();
  manifest.bytes_written = io.at("bytes_written").get<std::uint64_t>();
  return manifest;
}

std::set<std::string> file_names(const Manifest& manifest) {
  std::set<std::string> names;
  for (const SavedSet::SavedFile& file : manifest.set.files)
    names.insert(file.name);
  return names;
}

}  // namespace

Status write_manifest(const Manifest& manifest, Workdir& workdir) {
  const std::string body = manifest_json(manifest).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  return workdir.write_manifest(head_line(body) + body, file_names(manifest));
}

Status reopen_workdir(const Manifest& manifest, Workdir& workdir) {
  if (Status status = workdir.reopen(); !status.is_ok())
    return status;
  workdir.keep(true);
  workdir.set_names_given(manifest.names_given);
  workdir.add_counts(manifest.state_reads, manifest.state_writes, manifest.bytes_read, manifest.bytes_written);
  return workdir.keep_only(file_names(manifest));
}

Result<Manifest> read_manifest(Env& env, const std::string& directory) {
  const std::string path = directory + "/" + kManifestName;
  const Result<std::string> contents = read_file(env, path, kBytesMax);
  if (!contents.is_ok())
    return contents.status();
  const std::string& text = contents.value();
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || !text.starts_with("tideline manifest "))
    return Status::error(fmt::format("{} is no manifest of Tideline", path));
  if (!text.starts_with(fmt::format("tideline manifest {} ", kVersion)))
    return Status::error(fmt::format("{} was written by another version of Tideline: {}", path, text.substr(0, end)));
  const std::string body = text.substr(end + 1);
  if (text.substr(0, end + 1) != head_line(body))
    return Status::error(fmt::format("{} is damaged: its checksum is wrong", path));
  try {
    return manifest_from(Json::parse(body));
  } catch (const Json::exception& error) {
    return Status::error(fmt::format("{} cannot be read: {}", path, error.what()));
  }
}

}  // namespace tideline
