// SPDX-License-Identifier: MIT
// The judge of the DVE front end, first part: states, expressions and stores, as plainly as they can be written down.
// A state is a vector of numbers: process states, elements of variables (constants too), buffers (the number of
// messages, then all places). Shares nothing with src/front/dve but model.h.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "front/dve/model.h"

namespace tideline::test {

using DveState = std::vector<std::int64_t>;

// The low 8 or 16 bits, as a number of the type.
std::int64_t low_bits(dve::BaseType type, std::int64_t number);

class DveValues {
 public:
  DveValues(const dve::Model& model, dve::OnError on_error);

  [[nodiscard]] const DveState& initial() const { return initial_; }

  // Nothing where evaluation fails: an index out of bounds, a division by zero.
  [[nodiscard]] std::optional<std::int64_t> value(const DveState& state, dve::ExprId id) const;
  // Which element a store would change; 0 for a scalar.
  [[nodiscard]] std::optional<std::size_t> element(const DveState& state, const dve::Assignment& target) const;
  // False: the number is not one of the type, and that is an error.
  [[nodiscard]] bool store(DveState& state, dve::VariableId variable, std::size_t element, std::int64_t number) const;

  // Places in a state: of a variable's elements, of the number of messages in a buffer, of all messages' item `item`.
  [[nodiscard]] std::vector<std::size_t> places_of(dve::VariableId variable) const;
  [[nodiscard]] std::size_t count_of(dve::ChannelId channel) const { return buffers_[channel]; }
  [[nodiscard]] std::vector<std::size_t> places_of(dve::ChannelId channel, std::size_t item) const;

 private:
  [[nodiscard]] std::optional<std::int64_t> logical(const DveState& state, const dve::Expr& expr) const;

  const dve::Model& model_;
  dve::OnError on_error_;
  std::vector<std::size_t> variables_;  // first place
  std::vector<std::size_t> buffers_;    // place of the count
  DveState initial_;
};

}  // namespace tideline::test
