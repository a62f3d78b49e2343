// SPDX-License-Identifier: MIT
#include "exec/native/c_text.h"

#include <iterator>

namespace tideline::native {

void CText::add_line(fmt::string_view format, fmt::format_args args) {
  text_.append(2 * indent_, ' ');
  fmt::vformat_to(std::back_inserter(text_), format, args);
  text_ += '\n';
}

}  // namespace tideline::native
