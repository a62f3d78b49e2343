// SPDX-License-Identifier: MIT
// From the syntax tree to ir::Program in one walk: names are resolved, types checked, and the intermediate form is
// made, all at the same place, so that what is checked is what is built. The methods are spread over several files by
// subject: types.cpp, values.cpp (names, designators, constants), expressions.cpp, calls.cpp, statements.cpp,
// rules.cpp, measure.cpp.
//
// Errors do not stop the walk: a wrong part yields a value of Sort::kError, which fits everywhere and raises no further
// errors. The program is thrown away in the end if there was one.
//
// M1  frame_ is the frame of the rule, property or function being elaborated; outside of any it is a scratch frame.
// M2  block_ is where statements go; null in guards, properties and bindings, which hold no statements.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "front/murphi/ast.h"
#include "front/murphi/murphi.h"
#include "front/murphi/numbering.h"
#include "front/murphi/symbols.h"
#include "ir/build.h"

namespace tideline::murphi {

// An expression or designator with its type. At least one of `expr` and `ref` is set, except for Sort::kError.
struct Value {
  Sort sort = Sort::kError;
  Location where;
  ir::ExprPtr expr;                    // a simple value
  std::unique_ptr<ir::Ref> ref;        // an object in a variable, not yet read
  const ir::Type* type = nullptr;      // of the object; of any aggregate
  const ir::Domain* domain = nullptr;  // kSymbol: its possible values
  const ir::Type* multiset = nullptr;  // kSlot: whose slot
  bool is_writable = false;
  const char* what = "";  // if not: what it is instead
  Origin origin;

  [[nodiscard]] bool is_error() const { return sort == Sort::kError; }
};

// How a designator that stands alone is read: the dialects differ in where an undefined value is an error.
enum class ReadMode : std::uint8_t {
  kUse,       // in an expression
  kCopy,      // right side of an assignment
  kArgument,  // by-value parameter
  kRaw,       // never an error
};

class Elaborator {
 public:
  Elaborator(std::string_view text, const Options& options, Numbering numbering, ir::Program& program,
             Diagnostics& diagnostics);

  // First walk: global constants and types only, to count enumerations, scalarsets and unions.
  void count(const Model& model);
  [[nodiscard]] const Census& census() const { return census_; }
  // Second walk: everything, then the invariants of the command line and the progress measure.
  void elaborate(const Model& model);

 private:
  // ---- errors (values.cpp) ----
  void error(Location where, std::string message, std::string hint = {});
  void unknown_name(const Name& name, const char* what);
  // A hint for names of at least two letters: any single letter is near any other.
  static std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);
  [[nodiscard]] std::string source(const Span& span) const;
  [[nodiscard]] std::string describe(const Value& value) const;
  static std::string describe(const ir::Type& type);
  // As declared, or written out.
  static std::string name_of(const ir::Type& type);

  // ---- declarations ----
  void declare(const Name& name, const Symbol& symbol);
  void declare_local(const Name& name, ir::SlotIndex slot, bool is_writable, const char* what);
  void const_decl(const Decl& decl);
  void type_decl(const Decl& decl);
  void global_var_decl(const Decl& decl);
  void local_decls(const std::vector<Decl>& decls);
  std::optional<Symbol> defined_constant(const Name& name, const Symbol& original);
  ir::SlotIndex new_local(const std::string& name, const ir::Type* type, ir::LocalKind kind);

  // ---- types (types.cpp); null after an error ----
  const ir::Type* type(const TypeExpr& expr, const std::string& name = {});
  const ir::Type* make_type(const TypeExpr& expr, const std::string& name);
  const ir::Type* named_type(const TypeExpr& expr);
  const ir::Type* range_type(const TypeExpr& expr, const std::string& name);
  const ir::Type* enum_type(const TypeExpr& expr, const std::string& name);
  const ir::Type* scalarset_type(const TypeExpr& expr, const std::string& name);
  const ir::Type* union_type(const TypeExpr& expr, const std::string& name);
  const ir::Type* record_type(const TypeExpr& expr, const std::string& name);
  const ir::Type* array_type(const TypeExpr& expr, const std::string& name);
  const ir::Type* multiset_type(const TypeExpr& expr, const std::string& name);
  // A type of index or loop variable: simple.
  const ir::Domain* simple_domain(const TypeExpr& expr, const char* what);
  const ir::Type* simple_type(const ir::Domain* domain);
  const ir::Type* integer_type(ir::Interval range, bool has_undefined);
  // The same values without "undefined", for variables that always have one.
  const ir::Type* defined_type(const ir::Domain* domain);
  static bool is_too_large(const ir::Interval& range);
  // For a hidden variable that holds the value.
  const ir::Type* holder_type(const Value& value);

  // ---- values (values.cpp) ----
  static Sort sort_of(const ir::Type& type);
  static bool share_values(const ir::Domain& a, const ir::Domain& b);
  static bool same_type(const ir::Type& a, const ir::Type& b);
  // A name, field or element, unread; other expressions are read.
  Value object(const Expr& expr);
  Value name_object(const Expr& expr);
  Value field_object(const Expr& expr);
  Value index_object(const Expr& expr);
  ir::ExprPtr index_value(const Expr& expr, const ir::Type& array);
  Value value(const Expr& expr, ReadMode mode = ReadMode::kUse);
  void read(Value& value, ReadMode mode);
  ir::ExprPtr boolean(const Expr& expr, const char* what);
  ir::ExprPtr integer(const Expr& expr, const char* what);
  std::optional<std::int64_t> constant(const Expr& expr, const char* what);
  // A designator that may be written; null and an error otherwise. Notes the effect.
  std::unique_ptr<ir::Ref> target(const Expr& expr, const char* verb, const ir::Type** type);
  void note_write(const Origin& origin);
  // A value that fits an object of the type; null and an error otherwise.
  ir::ExprPtr fitting(Value value, const ir::Type& type, const char* what);
  // Takes the address of an object: a simple local one must then be packed.
  void make_addressable(const ir::Ref& ref);
  Value multiset_object(const Expr& expr);

  // ---- expressions (expressions.cpp) ----
  Value computed(const Expr& expr);
  Value unary(const Expr& expr);
  Value binary(const Expr& expr);
  Value logical(const Expr& expr, ir::ExprOp op);
  Value arithmetic(const Expr& expr, ir::ExprOp op);
  Value comparison(const Expr& expr, ir::ExprOp op);
  Value equality(const Expr& expr, ir::ExprOp op);
  Value conditional(const Expr& expr);
  Value quantified(const Expr& expr);
  Value is_undefined(const Expr& expr);
  Value is_member(const Expr& expr);
  Value multiset_count(const Expr& expr);
  ir::ExprPtr join(std::vector<ir::ExprPtr> operands, ir::ExprOp op, std::size_t first, std::size_t last,
                   Location where);
  // Declares the variable of a quantifier in the current scope.
  struct Loop {
    ir::SlotIndex slot = 0;
    ir::LoopRange range;
  };
  std::optional<Loop> loop(const Quantifier& quantifier);
  ir::SlotIndex slot_variable(const Name& name, const ir::Type* multiset, const char* what);

  // ---- calls (calls.cpp) ----
  Value call(const Expr& expr, bool is_statement);
  // An object, or the result of a function that returns an aggregate (in a temporary).
  Value object_or_result(const Expr& expr);
  const Symbol* function_symbol(const Expr& expr);
  std::vector<ir::Argument> arguments(const Expr& expr, FunctionInfo& callee, Call& site);
  void note_call(Call site);

  // ---- statements (statements.cpp) ----
  void statements(const Stmts& stmts, ir::Block& block);
  void statement(const Stmt& stmt);
  ir::Stmt& emit(ir::StmtKind kind, Location where);
  void assign(const Stmt& stmt);
  void copy(ir::Ref to, ir::Ref from, Location where);
  void if_else(const Stmt& stmt, std::size_t branch);
  void switch_case(const Stmt& stmt);
  void switch_branch(const Stmt& stmt, std::size_t branch, const Value& subject, ir::SlotIndex slot);
  void for_loop(const Stmt& stmt, std::size_t quantifier);
  void while_loop(const Stmt& stmt);
  void alias(const Stmt& stmt);
  void clear_or_undefine(const Stmt& stmt);
  void property_statement(const Stmt& stmt);
  void put(const Stmt& stmt);
  void return_statement(const Stmt& stmt);
  void multiset_add(const Stmt& stmt);
  void multiset_remove(const Stmt& stmt);
  void multiset_remove_where(const Stmt& stmt);
  // Binds an alias: a constant, a reference or a value; see alias_binding.
  void bind_alias(const AliasDecl& decl, std::vector<ir::Binding>* bindings);

  // ---- rules and functions (rules.cpp) ----
  void item(const Item& item);
  void function(const Item& item);
  void rule_like(const Item& item);
  void start_or_rule(const Item& item, std::vector<ir::Rule>& rules);
  void property(const Item& item);
  void add_property(PropertyKind kind, std::string name, Location where, const Expr& condition);
  void context(std::vector<ir::Binding>& bindings);
  void context_item(const Item& item, std::vector<ir::Binding>& bindings);
  void ruleset_parameter(const Quantifier& quantifier, std::vector<ir::Binding>& bindings);
  const ir::Domain* ruleset_range(const Quantifier& quantifier);
  void command_line_invariant(const std::string& text);
  // Calls `elaborate`, which says whether with the places of the text, for the value of an option.
  void from_command_line(const std::string& option, const std::string& text,
                         const std::function<void(bool with_locations)>& elaborate);
  void check_whole(const Model& model);

  // ---- the progress measure (measure.cpp) ----
  void progress(const Model& model);
  void measure(std::string_view text, Location where);
  void component(const MeasureComponent& component);
  bool is_ordered(const Value& value);

  std::string_view text_;
  const Options& options_;
  Numbering numbering_;
  ir::Program& program_;
  Diagnostics* diagnostics_;
  Census census_;

  Scopes scopes_;
  std::map<std::string, Location> global_places_;  // of every global name, to explain a use before the declaration
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> reported_;
  std::set<std::string> defines_used_;

  std::unordered_map<const TypeExpr*, const ir::Type*> types_;
  std::unordered_map<const ir::Domain*, const ir::Type*> simple_types_;
  std::unordered_map<const ir::Domain*, const ir::Type*> defined_types_;
  std::map<std::tuple<std::int64_t, std::int64_t, bool>, const ir::Type*> integer_types_;
  std::unordered_map<const ir::Domain*, const TypeExpr*> counted_;
  const ir::Type* boolean_ = nullptr;

  ir::Frame scratch_;
  ir::Frame* frame_ = &scratch_;
  ir::Block* block_ = nullptr;
  const char* pure_place_ = nullptr;  // set where the state must not be written
  FunctionInfo* function_ = nullptr;  // being elaborated
  std::deque<FunctionInfo> functions_;
  std::vector<Call> calls_;  // made by rules
  std::vector<PureCall> pure_calls_;
  std::vector<const Item*> context_;  // enclosing rulesets, chooses and aliases
  std::vector<ExprPtr> kept_;         // trees from the command line: types_ and numbering_ remember their addresses
};

}  // namespace tideline::murphi
