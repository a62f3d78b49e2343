// SPDX-License-Identifier: MIT
#include "random_murphi.h"

#include <random>
#include <vector>

namespace tideline::cross {
namespace {

// The simple types that every generated program declares.
enum Simple { kBool, kSmall, kSigned, kColour, kNode, kPeer, kParty, kSimpleCount };
const char* const kTypeName[kSimpleCount] = {"boolean", "small", "signed", "colour", "node", "peer", "party"};

struct Designator {
  std::string text;
  Simple type;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed), has_filler_(seed % 2 == 1) {}

  std::string program() {
    small_max_ = 1 + pick(3);
    declarations();
    routines();
    start_state();
    const int rules = 2 + pick(6);
    for (int i = 0; i < rules; ++i)
      rule(i);
    if (chance(30))
      line("invariant \"i\" " + boolean(2) + " | " + boolean(2) + ";");
    if (chance(10))
      line("cover \"c\" " + boolean(1) + ";");
    if (chance(10))
      line("assume \"a\" " + boolean(1) + " | " + boolean(2) + ";");
    return text_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  void line(const std::string& text) { text_ += std::string(static_cast<std::size_t>(indent_) * 2, ' ') + text + "\n"; }
  std::string fresh(const char* stem) { return stem + std::to_string(names_++); }

  void declarations() {
    line("const N : " + std::to_string(small_max_) + ";");
    line("type");
    line("  small : 0..N; signed : -1..1; colour : enum { red, green, blue };");
    line("  node : scalarset(2); peer : scalarset(2); party : union { node, peer };");
    item_f_ = static_cast<Simple>(pick(kSimpleCount));
    line("  item : record f : " + std::string(kTypeName[item_f_]) + "; g : boolean; end;");
    line("  row : array [small] of item;");
    line("var");
    const int simple = 2 + pick(4);
    for (int i = 0; i < simple; ++i) {
      const auto type = static_cast<Simple>(pick(kSimpleCount));
      const std::string name = fresh("v");
      line("  " + name + " : " + kTypeName[type] + ";");
      globals_.push_back({name, type});
    }
    if (has_filler_)
      line("  filler : array [0..9] of 0..255;");
    has_row_ = chance(30);
    if (has_row_)
      line("  row1 : row;");
    has_by_node_ = chance(40);
    if (has_by_node_)
      line("  by_node : array [node] of colour;");
    has_bag_ = chance(40);
    if (has_bag_)
      line("  bag : multiset [2] of item;");
    line("  rec : item;");
  }

  void routines() {
    line("function next_small(x : small) : small;");
    line("begin");
    line("  if x = N then return 0; end;");
    line(chance(50) ? "  return x + 1;" : "  return next_small(N);");
    line("end;");
    line("procedure flip(var c : colour; b : boolean);");
    line("var old : colour;");
    line("begin");
    line("  old := c;");
    line("  switch old case red: c := green; case green, blue: if b then c := red; else c := blue; end; end;");
    line("end;");
    line("procedure set_item(var i : item; b : boolean);");
    line("begin i.g := b; end;");
  }

  // All designators of a type that are in scope.
  std::vector<std::string> designators(Simple type) {
    std::vector<std::string> found;
    for (const Designator& d : globals_)
      if (d.type == type)
        found.push_back(d.text);
    for (const Designator& d : locals_)
      if (d.type == type)
        found.push_back(d.text);
    auto items = [&](const std::string& prefix) {
      if (type == item_f_)
        found.push_back(prefix + ".f");
      if (type == kBool)
        found.push_back(prefix + ".g");
    };
    items("rec");
    if (has_row_)
      items("row1[" + index_small() + "]");
    if (has_by_node_ && type == kColour && !node_scope_.empty())
      found.push_back("by_node[" + node_scope_[static_cast<std::size_t>(pick(static_cast<int>(node_scope_.size())))] +
                      "]");
    if (!chosen_.empty())
      items("bag[" + chosen_ + "]");
    return found;
  }

  std::string index_small() {
    if (chance(60))
      return std::to_string(pick(small_max_ + 1));
    for (const Designator& d : locals_)
      if (d.type == kSmall)
        return d.text;
    return chance(97) ? std::string("next_small(0)") : std::string("N + 1");
  }

  std::string one_of(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(pick(static_cast<int>(choices.size())))];
  }

  std::string integer(int depth) {
    if (depth == 0 || chance(30)) {
      std::vector<std::string> choices = designators(chance(70) ? kSmall : kSigned);
      if (choices.empty() || chance(30))
        return std::to_string(pick(small_max_ + 1));
      return one_of(choices);
    }
    const std::string a = integer(depth - 1);
    const std::string b = integer(depth - 1);
    switch (pick(8)) {
      case 0:
      case 1:
        return "(" + a + " + " + b + ")";
      case 2:
        return "(" + a + " - " + b + ")";
      case 3:
        return "(" + a + " * " + b + ")";
      case 4:
        return "(" + a + " / " + std::to_string(1 + pick(2)) + ")";
      case 5:
        return "(" + a + " % " + (chance(98) ? "2" : "(" + b + ")") + ")";
      case 6:
        return has_bag_ ? "multisetcount(" + bag_variable() + " : bag, bag[" + bag_name_ + "].g)" : "(-" + a + ")";
      default:
        return "(" + boolean(depth - 1) + " ? " + a + " : " + b + ")";
    }
  }

  std::string bag_variable() {
    bag_name_ = fresh("k");
    return bag_name_;
  }

  // An expression of a simple type that is not an integer.
  std::string other(Simple type) {
    std::vector<std::string> choices = designators(type);
    if (type == kParty) {
      for (const std::string& d : designators(kNode))
        choices.push_back(d);
      for (const std::string& d : designators(kPeer))
        choices.push_back(d);
    }
    if (type == kColour || choices.empty()) {
      if (type == kColour)
        for (const char* literal : {"red", "green", "blue"})
          choices.emplace_back(literal);
      else
        choices.emplace_back("undefined");
    }
    return one_of(choices);
  }

  std::string comparison(int depth) {
    const int kind = pick(4);
    if (kind == 0) {
      const char* const operators[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
      return integer(depth) + operators[pick(6)] + integer(depth);
    }
    const Simple types[] = {kColour, kColour, kNode, kParty};
    const Simple type = types[kind];
    const std::vector<std::string> left = designators(type);
    const std::string right = other(type);
    if (left.empty() || right == "undefined")
      return integer(depth) + " = " + integer(depth);
    return one_of(left) + (chance(50) ? " = " : " != ") + right;
  }

  std::string boolean(int depth) {
    if (depth == 0 || chance(25)) {
      const std::vector<std::string> choices = designators(kBool);
      if (!choices.empty() && chance(40))
        return one_of(choices);
      return chance(85) ? "(" + comparison(0) + ")" : (chance(70) ? "true" : "false");
    }
    const std::string a = boolean(depth - 1);
    switch (pick(9)) {
      case 0:
        return "(" + a + " & " + boolean(depth - 1) + ")";
      case 1:
        return "(" + a + " | " + boolean(depth - 1) + ")";
      case 2:
        return "!(" + a + ")";
      case 3:
        return "(" + a + " -> " + boolean(depth - 1) + ")";
      case 4: {
        const Simple type = chance(50) ? kSmall : kNode;
        const std::string name = fresh("q");
        enter(name, type);
        std::string body = boolean(depth - 1);
        leave(type);
        return "(" + std::string(chance(50) ? "forall " : "exists ") + name + " : " + kTypeName[type] + " do " + body +
               " end)";
      }
      case 5: {
        const std::vector<std::string> choices = designators(static_cast<Simple>(pick(kSimpleCount)));
        return choices.empty() || choices.back().front() == 'q' ? a : "isundefined(" + choices.front() + ")";
      }
      case 6: {
        const std::vector<std::string> choices = designators(kParty);
        return choices.empty() ? a : "ismember(" + one_of(choices) + ", " + (chance(50) ? "node" : "peer") + ")";
      }
      default:
        return "(" + comparison(depth - 1) + ")";
    }
  }

  void enter(const std::string& name, Simple type) {
    read_only_.push_back(name);
    locals_.push_back({name, type});
    if (type == kNode)
      node_scope_.push_back(name);
  }
  void leave(Simple type) {
    locals_.pop_back();
    read_only_.pop_back();
    if (type == kNode)
      node_scope_.pop_back();
  }

  // A designator that may be assigned to, or empty.
  std::string target(Simple type) {
    std::vector<std::string> writable;
    for (const std::string& d : designators(type)) {
      bool allowed = true;
      for (const std::string& name : read_only_)
        allowed = allowed && d != name;
      if (allowed)
        writable.push_back(d);
    }
    return writable.empty() ? std::string() : one_of(writable);
  }

  void assignment() {
    const auto type = static_cast<Simple>(pick(kSimpleCount));
    const std::string to = target(type);
    if (to.empty())
      return;
    if (chance(50))
      return advance(type, to);
    if (type == kBool)
      line(to + " := " + boolean(1) + ";");
    else if (type == kSmall)
      line(to + " := " + (chance(98) ? "next_small(" + one_of_small() + ")" : integer(1)) + ";");
    else if (type == kSigned)
      line(to + " := " + (chance(98) ? "(" + integer(1) + ") % 2" : integer(1)) + ";");
    else
      line(to + " := " + other(type) + ";");
  }

  // Moves a variable on to another value, so that state spaces are not all trivial.
  void advance(Simple type, const std::string& to) {
    if (type == kBool)
      line(to + " := !" + to + ";");
    else if (type == kSmall)
      line(to + " := next_small(" + to + ");");
    else if (type == kSigned)
      line(to + " := (" + to + " + 2) % 3 - 1;");
    else if (type == kColour)
      line("flip(" + to + ", " + boolean(0) + ");");
    else
      line(to + " := " + other(type) + ";");
  }

  std::string one_of_small() {
    const std::vector<std::string> choices = designators(kSmall);
    return choices.empty() ? std::string("N") : one_of(choices);
  }

  void statements(int depth) {
    const int count = 1 + pick(3);
    for (int i = 0; i < count; ++i)
      statement(depth);
  }

  void block(const std::string& head, int depth, const std::string& tail) {
    line(head);
    ++indent_;
    statements(depth - 1);
    --indent_;
    line(tail);
  }

  void statement(int depth) {
    const int kind = pick(depth > 0 ? 20 : 8);
    if (kind < 8 || depth == 0) {
      assignment();
    } else if (kind < 11) {
      block("if " + boolean(1) + " then", depth, chance(50) ? "end;" : "else flip(colour1, true); end;");
    } else if (kind == 11) {
      const Simple type = chance(50) ? kSmall : kNode;
      const std::string name = fresh("i");
      enter(name, type);
      block("for " + name + " : " + std::string(kTypeName[type]) + " do", depth, "end;");
      leave(type);
    } else if (kind == 12) {
      line("for " + fresh("i") + " := " + integer(0) + " to " + integer(0) + " do flip(colour1, false); end;");
    } else if (kind == 13) {
      line("while counter1 < " + std::to_string(1 + pick(3)) + " do counter1 := counter1 + 1; end;");
    } else if (kind == 14) {
      const std::string to = target(static_cast<Simple>(pick(kSimpleCount)));
      if (!to.empty())
        line(std::string(chance(15) ? "undefine " : "clear ") + to + ";");
    } else if (kind == 15) {
      const std::string to = target(kColour);
      if (!to.empty())
        line("flip(" + to + ", " + boolean(0) + ");");
    } else if (kind == 16) {
      line(has_row_ && chance(50) ? "row1[" + index_small() + "] := rec;" : "set_item(rec, " + boolean(0) + ");");
    } else if (kind == 17) {
      bag_statement();
    } else if (kind == 18) {
      const std::string name = fresh("a");
      line("alias " + name + " : rec.g do " + name + " := " + boolean(0) + "; end;");
    } else if (chance(10)) {
      line(chance(50) ? "assert " + boolean(2) + " \"a\";"
                      : "if " + boolean(1) + " & " + boolean(1) + " & " + boolean(1) + " then error \"e\"; end;");
    }
  }

  void bag_statement() {
    if (!has_bag_)
      return;
    if (!chosen_.empty() && chance(50)) {
      line("multisetremove(" + chosen_ + ", bag); return;");
    } else if (chance(20)) {
      const std::string name = fresh("k");
      line("multisetremovepred(" + name + " : bag, bag[" + name + "].g);");
    } else {
      line("if multisetcount(" + fresh("k") + " : bag, true) < 2 then multisetadd(rec, bag); end;");
    }
  }

  void rule(int number) {
    const bool over_node = chance(40);
    const bool over_small = chance(25);
    const bool over_bag = has_bag_ && chance(40);
    if (over_node) {
      line("ruleset n" + std::to_string(number) + " : node do");
      enter("n" + std::to_string(number), kNode);
    }
    if (over_bag) {
      chosen_ = "c" + std::to_string(number);
      line("choose " + chosen_ + " : bag do");
    }
    if (over_small) {
      line("ruleset s" + std::to_string(number) + " : small do");
      enter("s" + std::to_string(number), kSmall);
    }
    line("rule \"r" + std::to_string(number) + "\" " + (chance(40) ? "true" : boolean(1 + pick(2))) + " ==>");
    line("var colour1 : colour; counter1 : 0..20; local1 : item;");
    line("begin");
    ++indent_;
    line("colour1 := red; counter1 := 0; local1 := rec;");
    const std::size_t locals = locals_.size();
    locals_.push_back({"colour1", kColour});
    locals_.push_back({"local1.g", kBool});
    for (const Designator& d : globals_)
      if (chance(25))
        advance(d.type, d.text);
    statements(2);
    if (chance(50))
      statements(2);
    locals_.resize(locals);
    --indent_;
    line("end;");
    if (over_small) {
      leave(kSmall);
      line("end;");
    }
    if (over_bag) {
      chosen_.clear();
      line("end;");
    }
    if (over_node) {
      leave(kNode);
      line("end;");
    }
  }

  void start_state() {
    const bool several = chance(30);
    if (several)
      line("ruleset n : node do");
    line("startstate");
    line("begin");
    ++indent_;
    for (const Designator& d : globals_)
      if (chance(95))
        line("clear " + d.text + ";");
    line("clear rec;");
    if (has_filler_)
      line("for i : 0..9 do filler[i] := (i * 37) % 256; end;");
    if (has_row_)
      line(chance(70) ? "clear row1;" : "for i : small do row1[i] := rec; end;");
    if (has_by_node_)
      line("for n1 : node do by_node[n1] := green; end;");
    if (has_bag_ && chance(50))
      line("undefine bag;");
    if (several)
      for (const Designator& d : globals_)
        if (d.type == kNode || d.type == kParty)
          line(d.text + " := n;");
    --indent_;
    line("end;");
    if (several)
      line("end;");
  }

  std::mt19937_64 random_;
  bool has_filler_;  // what no rule changes lies between the variables: a state has more than 64 bits
  std::string text_;
  int indent_ = 0;
  int names_ = 0;
  int small_max_ = 2;
  Simple item_f_ = kBool;
  bool has_row_ = false;
  bool has_by_node_ = false;
  bool has_bag_ = false;
  std::vector<Designator> globals_;
  std::vector<Designator> locals_;
  std::vector<std::string> node_scope_;
  std::vector<std::string> read_only_;
  std::string chosen_;
  std::string bag_name_;
};

}  // namespace

std::string random_murphi(std::uint64_t seed) {
  return Generator(seed).program();
}

}  // namespace tideline::cross
