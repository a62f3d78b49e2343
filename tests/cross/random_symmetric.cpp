// SPDX-License-Identifier: MIT
#include "random_symmetric.h"

#include <algorithm>
#include <random>
#include <vector>

namespace tideline::cross {
namespace {

// A scalarset or union.
struct Symbol {
  std::string name;
  std::vector<std::size_t> parts;  // of a union: numbers of scalarsets
  int size = 1;
};

// What can be written behind `:=`, by sort.
enum class Sort { kSymbol, kBool, kSmall };

struct Variable {
  std::string name;
  std::vector<std::size_t> indices;  // symbols
  std::string field;                 // ".p", or empty
  Sort sort = Sort::kBool;
  std::size_t symbol = 0;  // kSymbol
};

// A variable of a ruleset, loop or quantifier, or a parameter: always defined.
struct Member {
  std::string name;
  std::size_t symbol = 0;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    types();
    variables();
    routines();
    start_states();
    const int rules = 2 + pick(4);
    for (int i = 0; i < rules; ++i)
      rule(i);
    const int lively = 1 + pick(3);
    for (int i = 0; i < lively; ++i)
      set_rule(one_of(variables_), i);
    properties();
    return text_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  void line(const std::string& text) { text_ += std::string(static_cast<std::size_t>(indent_) * 2, ' ') + text + "\n"; }
  std::string fresh(const char* stem) { return stem + std::to_string(names_++); }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(pick(static_cast<int>(choices.size())))];
  }

  // ---- declarations ----

  void types() {
    const int count = 1 + pick(3);
    const int most = count == 1 ? 4 : 3;
    line("type small: 0..2; colour: enum { red, green };");
    for (int i = 0; i < count; ++i) {
      const int size = chance(20) ? 1 : 2 + pick(i == 0 ? most - 1 : 1 + pick(2));
      symbols_.push_back({"s" + std::to_string(i), {}, size});
      line("  s" + std::to_string(i) + ": scalarset(" + std::to_string(size) + ");");
    }
    scalarsets_ = symbols_.size();
    if (chance(50))
      join_types(chance(40));
    message_from_ = any_symbol();
    message_to_ = any_symbol();
    line("  message: record src: " + symbols_[message_from_].name + "; dst: " + symbols_[message_to_].name +
         "; kind: small; end;");
  }

  // A union of all scalarsets, or of the first, perhaps with an enumeration before, between or behind.
  void join_types(bool has_colour) {
    Symbol made{"u", {}, has_colour ? 2 : 0};
    std::vector<std::string> members;
    for (std::size_t i = 0; i < scalarsets_; ++i) {
      made.parts.push_back(i);
      made.size += symbols_[i].size;
      members.push_back(symbols_[i].name);
    }
    if (has_colour)
      members.insert(members.begin() + pick(static_cast<int>(members.size()) + 1), "colour");
    std::string list;
    for (const std::string& member : members)
      list += (list.empty() ? "" : ", ") + member;
    line("  u: union { " + list + " };");
    symbols_.push_back(made);
  }

  std::size_t any_symbol() { return static_cast<std::size_t>(pick(static_cast<int>(symbols_.size()))); }

  std::string type_of(Sort sort, std::size_t symbol) const {
    return sort == Sort::kSymbol ? symbols_[symbol].name : sort == Sort::kBool ? "boolean" : "small";
  }

  void variables() {
    line("var");
    line("  flag: boolean; count: small;");
    add("flag", {}, "", Sort::kBool, 0);
    add("count", {}, "", Sort::kSmall, 0);
    const int arrays = 1 + pick(3);
    for (int i = 0; i < arrays; ++i)
      array("v" + std::to_string(i));
    if (chance(50)) {
      const std::size_t symbol = any_symbol();
      add("x", {}, "", Sort::kSymbol, symbol);
      line("  x: " + symbols_[symbol].name + ";");
    }
    if (chance(30))
      records();
    if (chance(25))
      slots();
    has_net_ = chance(40);
    net_size_ = 1 + pick(2);
    if (has_net_)
      line("  net: multiset[" + std::to_string(net_size_) + "] of message;");
    nets_index_ = any_symbol();
    has_nets_ = !has_net_ && chance(25) && symbols_[nets_index_].size <= 3;
    if (has_nets_)
      line("  nets: array[" + symbols_[nets_index_].name + "] of multiset[" + std::to_string(net_size_) +
           "] of message;");
  }

  void add(const std::string& name, const std::vector<std::size_t>& indices, const std::string& field, Sort sort,
           std::size_t symbol) {
    variables_.push_back({name, indices, field, sort, symbol});
  }

  void array(const std::string& name) {
    const std::size_t index = any_symbol();
    std::vector<std::size_t> indices{index};
    std::string type = "array[" + symbols_[index].name + "] of ";
    const std::size_t second = any_symbol();
    if (chance(20) && symbols_[index].size * symbols_[second].size <= 6) {
      indices.push_back(second);
      type += "array[" + symbols_[second].name + "] of ";
    }
    const Sort sort = indices.size() > 1 || chance(40) ? Sort::kBool : chance(70) ? Sort::kSymbol : Sort::kSmall;
    const std::size_t symbol = any_symbol();
    line("  " + name + ": " + type + type_of(sort, symbol) + ";");
    add(name, indices, "", sort, symbol);
  }

  void records() {
    const std::size_t index = any_symbol();
    const std::size_t pointer = any_symbol();
    line("  r: array[" + symbols_[index].name + "] of record p: " + symbols_[pointer].name + "; b: boolean; end;");
    add("r", {index}, ".p", Sort::kSymbol, pointer);
    add("r", {index}, ".b", Sort::kBool, 0);
  }

  // Members in an array that is not indexed by them.
  void slots() {
    const std::size_t symbol = any_symbol();
    line("  line: array[0..1] of " + symbols_[symbol].name + ";");
    add("line[0]", {}, "", Sort::kSymbol, symbol);
    add("line[1]", {}, "", Sort::kSymbol, symbol);
  }

  void routines() {
    const std::size_t symbol = any_symbol();
    routine_symbol_ = symbol;
    const std::string type = symbols_[symbol].name;
    line("procedure touch(m: " + type + ");");
    line("begin");
    members_.push_back({"m", symbol});
    statements(1);
    members_.pop_back();
    line("end;");
    line("procedure store(var d: " + type + "; m: " + type + ");");
    line("begin d := m; end;");
    line("function hit(m: " + type + "): boolean;");
    line("begin");
    members_.push_back({"m", symbol});
    statements(0);
    line("return " + boolean(0) + ";");
    members_.pop_back();
    line("end;");
    line("function ask(): boolean;");
    line("begin");
    line("  for m: " + type + " do");
    members_.push_back({"m", symbol});
    line("    if " + boolean(1) + " then return " + (chance(80) ? "true" : boolean(0)) + "; end;");
    members_.pop_back();
    line("  end;");
    line("  return false;");
    line("end;");
    has_routines_ = true;
  }

  // ---- expressions ----

  // A member that can be an index of the type: a variable of the type or of a member type. Empty if there is none.
  std::string index(std::size_t symbol) {
    std::vector<std::string> choices;
    for (const Member& member : members_)
      for (const std::size_t part : parts_and_self(symbol))
        if (member.symbol == part)
          choices.push_back(member.name);
    if (choices.empty())
      return {};
    return chance(40) ? choices.back() : one_of(choices);
  }

  [[nodiscard]] std::vector<std::size_t> parts_and_self(std::size_t symbol) const {
    std::vector<std::size_t> all = symbols_[symbol].parts;
    all.push_back(symbol);
    return all;
  }

  // The variable with indices that are in scope; empty if there are none.
  std::string designator(const Variable& variable) {
    std::string text = variable.name;
    for (const std::size_t symbol : variable.indices) {
      const std::string subscript = index(symbol);
      if (subscript.empty())
        return {};
      text += "[" + subscript + "]";
    }
    return text + variable.field;
  }

  std::vector<std::string> designators(Sort sort, std::size_t symbol) {
    std::vector<std::string> found;
    for (const Variable& variable : variables_) {
      if (variable.sort != sort || (sort == Sort::kSymbol && variable.symbol != symbol))
        continue;
      const std::string text = designator(variable);
      if (!text.empty())
        found.push_back(text);
    }
    return found;
  }

  // A value of a symbol type, perhaps undefined; empty if there is none at hand.
  std::string value(std::size_t symbol) { return value_of(parts_and_self(symbol)); }

  // The same of one of these types.
  std::string value_of(const std::vector<std::size_t>& parts) {
    std::vector<std::string> choices;
    for (const std::size_t part : parts) {
      for (const Member& member : members_)
        if (member.symbol == part)
          choices.insert(choices.end(), 3, member.name);
      for (const std::string& text : designators(Sort::kSymbol, part))
        choices.push_back(text);
      for (const std::string& element : elements_) {
        if (part == message_from_)
          choices.push_back(element + ".src");
        if (part == message_to_)
          choices.push_back(element + ".dst");
      }
    }
    return choices.empty() ? std::string() : one_of(choices);
  }

  std::string number() {
    const std::vector<std::string> choices = designators(Sort::kSmall, 0);
    return chance(40) ? std::to_string(pick(3)) : one_of(choices);
  }

  std::string comparison() {
    const std::size_t symbol = any_symbol();
    const std::string left = value_of({symbol});
    const std::string right = value(symbol);
    if (left.empty() || left == right || chance(20))
      return one_of(designators(Sort::kSmall, 0)) + (chance(60) ? " = " : " < ") + number();
    return left + (chance(60) ? " = " : " != ") + right;
  }

  std::string quantified(int depth) {
    const std::size_t symbol = any_symbol();
    const std::string name = fresh("q");
    members_.push_back({name, symbol});
    const std::string body = boolean(depth - 1);
    members_.pop_back();
    return (chance(50) ? "(forall " : "(exists ") + name + ": " + symbols_[symbol].name + " do " + body + " end)";
  }

  std::string occupied(const std::string& multiset) {
    const std::string slot = fresh("k");
    elements_.push_back(multiset + "[" + slot + "]");
    const std::string body = chance(50) ? "true" : boolean(0);
    elements_.pop_back();
    return "(multisetcount(" + slot + ": " + multiset + ", " + body + ") < " + std::to_string(1 + pick(2)) + ")";
  }

  std::string multiset() {
    if (has_net_)
      return "net";
    const std::string at = has_nets_ ? index(nets_index_) : std::string();
    return at.empty() ? at : "nets[" + at + "]";
  }

  std::string boolean(int depth) {
    const int kind = pick(depth > 0 ? 9 : 3);
    if (kind == 0)
      return one_of(designators(Sort::kBool, 0));
    if (kind <= 2)
      return "(" + comparison() + ")";
    if (kind == 3)
      return "(" + boolean(depth - 1) + " & " + boolean(depth - 1) + ")";
    if (kind == 4)
      return "(" + boolean(depth - 1) + " | " + boolean(depth - 1) + ")";
    if (kind == 5)
      return "!" + boolean(depth - 1);
    if (kind == 6 && multiset() != "")
      return occupied(multiset());
    if (kind == 7) {
      const std::vector<std::string> choices = designators(Sort::kSymbol, any_symbol());
      if (!choices.empty())
        return "isundefined(" + one_of(choices) + ")";
    }
    return quantified(depth);
  }

  // ---- statements ----

  void assignment() {
    const std::size_t symbol = any_symbol();
    const int kind = pick(3);
    const auto sort = static_cast<Sort>(kind);
    const std::vector<std::string> targets = designators(sort, symbol);
    if (targets.empty())
      return line("flag := !flag;");
    const std::string to = one_of(targets);
    const std::string from = sort == Sort::kSymbol ? value(symbol) : std::string();
    if (sort == Sort::kBool)
      line(to + " := " + (chance(40) ? (chance(50) ? "true" : "false") : chance(50) ? "!" + to : boolean(1)) + ";");
    else if (sort == Sort::kSmall)
      line(to + " := " + (chance(50) ? "(" + number() + " + 1) % 3" : number()) + ";");
    else if (chance(20) || from.empty())
      line("undefine " + to + ";");
    else
      line(to + " := " + from + ";");
  }

  void block(const std::string& head, int depth) {
    line(head);
    ++indent_;
    statements(depth);
    --indent_;
  }

  void loop(int depth) {
    const std::size_t symbol = any_symbol();
    const std::string other = value(symbol);
    const std::string name = fresh("i");
    line("for " + name + ": " + symbols_[symbol].name + " do");
    ++indent_;
    members_.push_back({name, symbol});
    if (chance(40))
      tame_loop_body(name, other.empty() ? name : other);
    else
      statements(depth - 1);
    members_.pop_back();
    --indent_;
    line("end;");
  }

  // Bodies of the sorts that models have: sums, flags, one iteration that matters, sending.
  void tame_loop_body(const std::string& name, const std::string& other) {
    const int kind = pick(5);
    if (kind == 4 && in_rule_ && variables_.back().symbol == symbol_of(name))
      line("if " + boolean(1) + " then l := " + name + "; end;");
    else if (kind == 0)
      line("if " + boolean(1) + " & count < 2 then flag := true; end;");
    else if (kind == 1)
      one_iteration(name, other);
    else if (kind == 2)
      line("flag := flag | " + boolean(0) + ";");
    else
      add_message();
  }

  [[nodiscard]] std::size_t symbol_of(const std::string& name) const {
    return std::find_if(members_.begin(), members_.end(), [&name](const Member& m) { return m.name == name; })->symbol;
  }

  void one_iteration(const std::string& name, const std::string& other) {
    block("if " + name + " = " + other + (chance(20) ? " & " + boolean(0) : "") + " then", 0);
    line("end;");
    if (chance(30)) {
      block("if " + name + (chance(50) ? " != " : " = ") + value(symbol_of(name)) + " then", 0);
      if (chance(50))
        block("else", 0);
      line("end;");
    }
    if (chance(30))
      assignment();
  }

  void add_message() {
    const std::string to = multiset();
    const std::string from = value(message_from_);
    const std::string target = value(message_to_);
    if (to.empty() || from.empty() || target.empty() || !in_rule_)
      return line("count := 0;");
    const std::string room = "multisetcount(k0: " + to + ", true) < " + std::to_string(net_size_);
    line("if " + room + " then m.src := " + from + "; m.dst := " + target + "; m.kind := " + std::to_string(pick(2)) +
         "; multisetadd(m, " + to + "); end;");
  }

  void call() {
    if (!has_routines_)
      return assignment();
    const std::string member = index(routine_symbol_);
    const std::vector<std::string> targets = designators(Sort::kSymbol, routine_symbol_);
    if (member.empty())
      line("flag := ask();");
    else if (chance(30))
      line(std::string("flag := ") + (chance(50) ? "flag | " : "") + "hit(" + member + ");");
    else if (targets.empty() || chance(50))
      line("touch(" + member + ");");
    else
      line("store(" + one_of(targets) + ", " + member + ");");
  }

  void remove_messages() {
    const std::string from = multiset();
    if (from.empty())
      return assignment();
    const std::string slot = fresh("k");
    elements_.push_back(from + "[" + slot + "]");
    line("multisetremovepred(" + slot + ": " + from + ", " + boolean(0) + ");");
    elements_.pop_back();
  }

  void alias(int depth) {
    const std::size_t symbol = any_symbol();
    const std::vector<std::string> targets = designators(Sort::kSymbol, symbol);
    if (targets.empty())
      return assignment();
    const std::string name = fresh("a");
    line("alias " + name + ": " + one_of(targets) + " do");
    ++indent_;
    variables_.push_back({name, {}, "", Sort::kSymbol, symbol});
    statements(depth - 1);
    variables_.pop_back();
    --indent_;
    line("end;");
  }

  void statements(int depth) {
    const int count = 1 + pick(2);
    for (int i = 0; i < count; ++i)
      statement(depth);
  }

  void statement(int depth) {
    const int kind = pick(depth > 0 ? 16 : 6);
    if (kind < 6) {
      assignment();
    } else if (kind < 8) {
      block("if " + boolean(1) + " then", depth - 1);
      if (chance(40))
        block("else", depth - 1);
      line("end;");
    } else if (kind < 11) {
      loop(depth);
    } else if (kind == 11) {
      add_message();
    } else if (kind == 12) {
      call();
    } else if (kind == 13) {
      remove_messages();
    } else if (kind == 14) {
      alias(depth);
    } else {
      line(chance(70) ? "undefine " + undefinable() + ";" : "assert " + boolean(2) + " | count != 1;");
    }
  }

  std::string undefinable() {
    for (const Variable& variable : variables_)
      if (variable.sort == Sort::kSymbol && variable.field.empty() && chance(60))
        return variable.name;
    return has_net_ ? "net" : "count; count := 1";
  }

  // ---- rules ----

  // A loop over all elements of every variable that must be defined.
  void start_states() {
    const std::size_t symbol = any_symbol();
    const bool is_set = chance(40);
    if (is_set)
      line("ruleset p0: " + symbols_[symbol].name + " do");
    line("startstate");
    line("begin");
    for (const Variable& variable : variables_) {
      if (variable.sort == Sort::kSymbol)
        continue;
      std::string text = variable.name;
      std::string ends;
      for (std::size_t k = 0; k < variable.indices.size(); ++k) {
        const std::string name = "i" + std::to_string(k);
        line("  for " + name + ": " + symbols_[variable.indices[k]].name + " do");
        text += "[" + name + "]";
        ends += " end;";
      }
      line("  " + text + variable.field + " := " + (variable.sort == Sort::kBool ? "false;" : "0;") + ends);
    }
    if (is_set) {
      members_.push_back({"p0", symbol});
      statements(1);
      members_.pop_back();
    }
    line(is_set ? "end; end;" : "end;");
  }

  void rule(int number) {
    const std::size_t count = members_.size();
    const int parameters = chance(25) ? 0 : 1 + pick(2);
    std::string ends;
    for (int i = 0; i < parameters; ++i) {
      const std::size_t symbol = any_symbol();
      members_.push_back({fresh("p"), symbol});
      line("ruleset " + members_.back().name + ": " + symbols_[symbol].name + " do");
      ends += "end; ";
    }
    const bool is_choice = chance(35) && !multiset().empty();
    if (is_choice)
      choose();
    const std::string condition = guard();
    const std::string priority = chance(8) ? "2 " : "";
    line("rule " + priority + "\"r" + std::to_string(number) + "\" " + condition + " ==> var m: message;" + local());
    line("begin");
    ++indent_;
    in_rule_ = true;
    statements(2);
    if (is_choice && chance(60))
      line("multisetremove(" + chosen_ + ", " + chosen_from_ + ");");
    if (is_choice && chance(20))
      add_message();
    const std::vector<std::string> targets = designators(Sort::kSymbol, variables_.back().symbol);
    if (chance(50))
      line(one_of(targets) + " := l;");
    in_rule_ = false;
    --indent_;
    line("end; " + ends + (is_choice ? "end;" : ""));
    if (is_choice)
      elements_.pop_back();
    variables_.pop_back();
    members_.resize(count);
  }

  // A rule that moves one variable through its values, so that state spaces are not all trivial.
  void set_rule(const Variable& variable, int number) {
    const std::size_t count = members_.size();
    std::vector<std::size_t> parameters = variable.indices;
    if (variable.sort == Sort::kSymbol)
      parameters.push_back(variable.symbol);
    std::string ends;
    for (const std::size_t symbol : parameters) {
      members_.push_back({fresh("p"), symbol});
      line("ruleset " + members_.back().name + ": " + symbols_[symbol].name + " do");
      ends += "end; ";
    }
    const std::string to = designator(variable);
    const std::string from = variable.sort == Sort::kSymbol ? members_.back().name
                             : variable.sort == Sort::kBool ? "!" + to
                                                            : "(" + to + " + 1) % 3";
    line("rule \"s" + std::to_string(number) + "\" " + (chance(50) ? "true" : boolean(1)) + " ==>");
    line("begin " + to + " := " + from + "; end; " + ends);
    members_.resize(count);
  }

  std::string guard() { return chance(30) ? "true" : chance(50) ? "!(" + boolean(2) + ")" : boolean(2); }

  // A local variable of the rule, in scope until its end.
  std::string local() {
    const std::size_t symbol = any_symbol();
    variables_.push_back({"l", {}, "", Sort::kSymbol, symbol});
    return " l: " + symbols_[symbol].name + ";";
  }

  void choose() {
    chosen_ = fresh("c");
    chosen_from_ = multiset();
    elements_.push_back(chosen_from_ + "[" + chosen_ + "]");
    line("choose " + chosen_ + ": " + chosen_from_ + " do");
  }

  void properties() {
    if (chance(40))
      line("invariant \"i\" " + quantified(2) + " | " + boolean(1) + " | count < 2;");
    if (chance(20))
      line("invariant \"j\" " + guard() + " | flag | count = 0;");
    if (chance(5))
      line("cover \"c\" " + boolean(1) + ";");
    if (chance(10))
      line("assume \"a\" " + guard() + " | count != 2;");
  }

  std::mt19937_64 random_;
  std::string text_;
  int indent_ = 0;
  int names_ = 1;
  std::vector<Symbol> symbols_;
  std::size_t scalarsets_ = 0;
  std::size_t message_from_ = 0;
  std::size_t message_to_ = 0;
  std::size_t nets_index_ = 0;
  std::size_t routine_symbol_ = 0;
  bool has_net_ = false;
  bool has_nets_ = false;
  bool has_routines_ = false;
  bool in_rule_ = false;
  int net_size_ = 1;
  std::vector<Variable> variables_;
  std::vector<Member> members_;
  std::vector<std::string> elements_;  // of multisets, in scope
  std::string chosen_;
  std::string chosen_from_;
};

}  // namespace

std::string random_symmetric(std::uint64_t seed) {
  return Generator(seed).program();
}

}  // namespace tideline::cross
