// SPDX-License-Identifier: MIT
// libFuzzer target for the Murphi front end: whatever the bytes are, murphi::load returns a program or errors, and the
// errors can be shown. The first byte selects options, so that --define, --invariant and --progress texts are
// fuzzed as well.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "front/murphi/murphi.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kBytesMax = std::size_t{64} << 10;
  if (size == 0 || size > kBytesMax)
    return 0;
  const std::uint8_t selector = data[0];
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view model = "const N: 2; var x: 0..N; startstate x := 0; end; rule x < N ==> x := x + 1; end;";

  tideline::murphi::Options options;
  options.strict_undefined = (selector & 1) != 0;
  std::string_view text = input;
  if ((selector & 6) == 2) {
    options.defines.emplace_back("N", std::string(input));
    text = model;
  } else if ((selector & 6) == 4) {
    options.invariants.emplace_back(input);
    text = model;
  } else if ((selector & 6) == 6) {
    options.progress = input;
    text = model;
  }
  tideline::Diagnostics diagnostics("fuzz", text);
  const auto program = tideline::murphi::load("fuzz", text, options, diagnostics);
  // A program or errors, never both and never neither.
  if ((program != nullptr) == diagnostics.has_errors())
    std::abort();
  static_cast<void>(diagnostics.render());
  return 0;
}
