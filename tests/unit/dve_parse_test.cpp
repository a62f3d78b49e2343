// SPDX-License-Identifier: MIT
// Every construct of DVE and what it becomes: declarations, processes, transitions, expressions and their precedence.
#include "dve_support.h"

namespace tideline::dve {
namespace {

// ---- declarations ----

TEST(DveParse, Variables) {
  const Model model = model_of(with_process("byte a, b = 3; int c = -5;\nint d[3]; byte e[2] = {1, 2};", ""));
  ASSERT_EQ(model.variables.size(), 5U);
  EXPECT_EQ(model.variables[0].name, "a");
  EXPECT_EQ(model.variables[0].type, BaseType::kByte);
  EXPECT_EQ(model.variables[0].owner, kNothing);
  EXPECT_FALSE(model.variables[0].is_array);
  EXPECT_EQ(model.variables[0].initial, std::vector<std::int64_t>{0});
  EXPECT_EQ(model.variables[1].initial, std::vector<std::int64_t>{3});
  EXPECT_EQ(model.variables[2].type, BaseType::kInt);
  EXPECT_EQ(model.variables[2].initial, std::vector<std::int64_t>{-5});
  EXPECT_TRUE(model.variables[3].is_array);
  EXPECT_EQ(model.variables[3].initial, (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(model.variables[3].where.line, 2U);
  EXPECT_EQ(model.variables[3].where.column, 5U);
  EXPECT_EQ(model.variables[4].initial, (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(model.exprs.empty()) << "initialisers leave nothing behind";
}

TEST(DveParse, LocalVariablesHideGlobalOnes) {
  const Model model = model_of(
      "byte x = 1, y; process P { byte x = 2; state x; init x; trans x -> x { effect y = x; }; }\n"
      "process Q { state x; init x; trans x -> x { effect y = x; }; } system async;");
  ASSERT_EQ(model.variables.size(), 3U);
  EXPECT_EQ(model.variables[2].name, "P.x");
  EXPECT_EQ(model.variables[2].owner, 0U);
  EXPECT_EQ(shape(model, model.processes[0].transitions[0].effects[0].value), "P.x");
  EXPECT_EQ(shape(model, model.processes[1].transitions[0].effects[0].value), "x");
}

std::vector<std::int64_t> initial(const std::string& declarations) {
  const Model model = model_of(with_process(declarations, ""));
  return model.variables.empty() ? std::vector<std::int64_t>{} : model.variables.back().initial;
}

TEST(DveParse, InitialValues) {
  using Values = std::vector<std::int64_t>;
  EXPECT_EQ(initial("int x = 7 / 2 * 2 - 1 % 2;"), Values{5});
  EXPECT_EQ(initial("int x = -7 / 2;"), Values{-3});
  EXPECT_EQ(initial("int x = -7 % 2;"), Values{-1});
  EXPECT_EQ(initial("int x = 1 << 4 | 3 & ~1 ^ 2;"), Values{16});
  EXPECT_EQ(initial("int x = -8 >> 1;"), Values{-4});
  EXPECT_EQ(initial("int x = (1 < 2) + (1 <= 1) + (2 > 1) + (1 >= 2) + (1 == 1) + (1 != 1);"), Values{4});
  EXPECT_EQ(initial("int x = not 0 + ! 5;"), Values{1});
  EXPECT_EQ(initial("int x = true && 7;"), Values{1});
  EXPECT_EQ(initial("int x = false || 0;"), Values{0});
  EXPECT_EQ(initial("int x = 1 imply 0;"), Values{0});
  // What decides comes first; the rest is not computed.
  EXPECT_EQ(initial("int x = 0 && 1 / 0;"), Values{0});
  EXPECT_EQ(initial("int x = 1 || 1 % 0;"), Values{1});
  EXPECT_EQ(initial("int x = 0 imply 1 / 0;"), Values{1});
  // Earlier constants and variables.
  EXPECT_EQ(initial("const int a = 3, b = a * a; int x = b - 1;"), Values{8});
  EXPECT_EQ(initial("const byte a[3] = {4, 5, 6}; int x = a[1];"), Values{5});
  EXPECT_EQ(initial("byte y = 9; byte z[2] = {1, 2}; int x = y + z[y - 8];"), Values{11});
  // Sizes and lists of other lengths.
  EXPECT_EQ(initial("const byte N = 2; byte x[N];"), (Values{0, 0}));
  EXPECT_EQ(initial("byte x[3] = {1};"), (Values{1, 0, 0}));
}

TEST(DveParse, TooManyInitialValues) {
  const Parsed parsed(with_process("byte x[2] = {1, 2, 3, 4};", ""));
  ASSERT_TRUE(parsed.model);
  EXPECT_EQ(parsed.model->variables[0].initial, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(parsed.all(Severity::kWarning),
            std::vector<std::string>{"1:20 'x' has 2 elements: this initial value and those after it are ignored"});
}

TEST(DveParse, ConstantsAreNumbers) {
  const Model model = model_of(with_transition("const int N = 300; const byte A[2] = {7, 8}; byte x;",
                                               "guard N == A[1] && A[x] == A[0 + 1] && A[2] == 0;"));
  EXPECT_EQ(shape(model, model.processes[0].transitions[0].guard),
            "(((300 == 8) && (A[x] == A[(0 + 1)])) && (A[2] == 0))");
  EXPECT_TRUE(model.variables[0].is_constant);
  EXPECT_TRUE(model.variables[1].is_constant);
  EXPECT_FALSE(model.variables[2].is_constant);
}

TEST(DveParse, Channels) {
  const Model model = model_of(with_process("channel a, b; channel {byte, int} c[3], d[0];", ""));
  ASSERT_EQ(model.channels.size(), 4U);
  EXPECT_EQ(model.channels[1].name, "b");
  EXPECT_FALSE(model.channels[1].is_typed);
  EXPECT_TRUE(model.channels[2].is_typed);
  EXPECT_EQ(model.channels[2].types, (std::vector<BaseType>{BaseType::kByte, BaseType::kInt}));
  EXPECT_EQ(model.channels[2].capacity, 3U);
  EXPECT_EQ(model.channels[3].types.size(), 2U);
  EXPECT_EQ(model.channels[3].capacity, 0U);
}

TEST(DveParse, CommentsAndBlanks) {
  model_of("// first\n/* second ** / \n */byte/**/x;//\r\n\tprocess P{state s;init s;}/* */system async;// end");
}

// ---- processes ----

TEST(DveParse, StatesOfAProcess) {
  const Model model = model_of("process P { state a, b, c; commit b, c; init b; } system sync;");
  EXPECT_TRUE(model.is_synchronous);
  EXPECT_EQ(model.property, kNothing);
  const Process& process = model.processes[0];
  EXPECT_EQ(process.name, "P");
  ASSERT_EQ(process.states.size(), 3U);
  EXPECT_EQ(process.states[2].name, "c");
  EXPECT_EQ(process.states[2].where.column, 25U);
  EXPECT_EQ(process.initial, 1U);
  EXPECT_FALSE(process.states[0].is_committed);
  EXPECT_TRUE(process.states[1].is_committed);
  EXPECT_TRUE(process.states[2].is_committed);
  EXPECT_FALSE(process.acceptance);
}

TEST(DveParse, OrderOfInitCommitAccept) {
  for (const char* order :
       {"init a; commit b; accept a;", "init a; accept a; commit b;", "commit b; accept a; init a;",
        "accept a; init a; commit b;", "commit b; init a; accept a;", "accept a; commit b; init a;"})
    EXPECT_TRUE(model_of(std::string("process P { state a, b; ") + order + " } system async;").processes[0].acceptance);
}

Acceptance acceptance(const std::string& text) {
  const Model model = model_of("process P { state a, b, c; init a; accept " + text + "; } system async property P;");
  EXPECT_EQ(model.property, 0U);
  return model.processes.empty() ? Acceptance{} : model.processes[0].acceptance.value_or(Acceptance{});
}

TEST(DveParse, Acceptance) {
  using Sets = std::vector<std::vector<StateId>>;
  EXPECT_EQ(acceptance("a, c").kind, AcceptKind::kBuchi);
  EXPECT_EQ(acceptance("a, c").sets, (Sets{{0, 2}}));
  EXPECT_EQ(acceptance("buchi b").kind, AcceptKind::kBuchi);
  EXPECT_EQ(acceptance("buchi b").sets, (Sets{{1}}));
  EXPECT_EQ(acceptance("genbuchi (a, b), (c), ()").kind, AcceptKind::kGenBuchi);
  EXPECT_EQ(acceptance("genbuchi (a, b), (c), ()").sets, (Sets{{0, 1}, {2}, {}}));
  EXPECT_EQ(acceptance("muller (c)").kind, AcceptKind::kMuller);
  EXPECT_EQ(acceptance("rabin (a, b; c), (; b), (c;)").kind, AcceptKind::kRabin);
  EXPECT_EQ(acceptance("rabin (a, b; c), (; b), (c;)").sets, (Sets{{0, 1}, {2}, {}, {1}, {2}, {}}));
  EXPECT_EQ(acceptance("streett (a; b)").kind, AcceptKind::kStreett);
}

TEST(DveParse, Assertions) {
  const Model model =
      model_of(with_process("byte x;", "assert s: x  <\n 5 /* five */ && P.t,\n t: x==0; trans s -> t {};"));
  const std::vector<Assertion>& all = model.processes[0].assertions;
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].state, 0U);
  EXPECT_EQ(all[0].text, "x < 5 && P.t");
  EXPECT_EQ(shape(model, all[0].condition), "((x < 5) && P@t)");
  EXPECT_EQ(all[1].state, 1U);
  EXPECT_EQ(all[1].text, "x==0");
  EXPECT_EQ(all[1].where.line, 4U);
}

TEST(DveParse, Transitions) {
  const Model model = model_of(with_process(
      "channel c; byte x, a[4];",
      "trans s -> t { guard x > 0; sync c!x + 1; effect x = x + 1, a[x] = 0; },\n -> s {}, t -> t { sync c?a[x]; };"));
  const std::vector<Transition>& all = model.processes[0].transitions;
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].source, 0U);
  EXPECT_EQ(all[0].target, 1U);
  EXPECT_EQ(all[0].where.column, 39U);
  EXPECT_EQ(shape(model, all[0].guard), "(x > 0)");
  EXPECT_EQ(all[0].sync, SyncKind::kSend);
  EXPECT_EQ(all[0].channel, 0U);
  ASSERT_EQ(all[0].sent.size(), 1U);
  EXPECT_EQ(shape(model, all[0].sent[0]), "(x + 1)");
  ASSERT_EQ(all[0].effects.size(), 2U);
  EXPECT_EQ(all[0].effects[0].variable, 0U);
  EXPECT_EQ(all[0].effects[0].index, kNothing);
  EXPECT_EQ(shape(model, all[0].effects[0].value), "(x + 1)");
  EXPECT_EQ(all[0].effects[1].variable, 1U);
  EXPECT_EQ(shape(model, all[0].effects[1].index), "x");
  // The source that is not written is that of the transition before.
  EXPECT_EQ(all[1].source, 0U);
  EXPECT_EQ(all[1].target, 0U);
  EXPECT_EQ(all[1].where.line, 3U);
  EXPECT_EQ(all[1].where.column, 2U);
  EXPECT_EQ(all[1].guard, kNothing);
  EXPECT_EQ(all[1].sync, SyncKind::kNone);
  EXPECT_EQ(all[2].sync, SyncKind::kReceive);
  ASSERT_EQ(all[2].received.size(), 1U);
  EXPECT_EQ(all[2].received[0].variable, 1U);
  EXPECT_EQ(shape(model, all[2].received[0].index), "x");
  EXPECT_EQ(all[2].received[0].value, kNothing);
}

TEST(DveParse, SeveralOmittedSources) {
  const Model model = model_of(with_process("", "trans t -> s {}, -> t {}, -> s {}, s -> s {}, -> t {};"));
  std::vector<StateId> sources;
  for (const Transition& one : model.processes[0].transitions)
    sources.push_back(one.source);
  EXPECT_EQ(sources, (std::vector<StateId>{1, 1, 1, 0, 0}));
}

TEST(DveParse, ValuesOfSyncs) {
  const Model model =
      model_of(with_process("channel a; channel {byte, int} b[2]; channel c; byte x, y[2];",
                            "trans s -> s { sync a!; }, s -> s { sync a?; }, s -> s { sync b!{x, -1}; },"
                            "s -> s { sync b?{x, y[x]}; }, s -> s { sync c!!x; }, s -> s { sync c?{x}; };"));
  const std::vector<Transition>& all = model.processes[0].transitions;
  ASSERT_EQ(all.size(), 6U);
  EXPECT_TRUE(all[0].sent.empty());
  EXPECT_TRUE(all[1].received.empty());
  EXPECT_EQ(all[1].sync, SyncKind::kReceive);
  EXPECT_EQ(all[2].sent.size(), 2U);
  EXPECT_EQ(all[3].received.size(), 2U);
  EXPECT_EQ(shape(model, all[4].sent[0]), "(!x)");
  EXPECT_EQ(all[5].received.size(), 1U);
}

TEST(DveParse, StatesAndVariablesOfOtherProcesses) {
  const Model model = model_of(
      "process A { state a; init a; trans a -> a { guard not B.b2; }; }\n"
      "process Prop { state p; init p; accept p; trans p -> p { guard B->x > B->y[B->x] && A.a; }; }\n"
      "process B { byte x, y[3]; const byte k = 4; state b1, b2; init b1; }\n"
      "system async property Prop;",
      {{}, {"B->x <= B->k", "not B.b2 or A.a"}});
  EXPECT_EQ(model.property, 1U);
  EXPECT_EQ(shape(model, model.processes[0].transitions[0].guard), "(!B@b2)");
  EXPECT_EQ(shape(model, model.processes[1].transitions[0].guard), "((B.x > B.y[B.x]) && A@a)");
  ASSERT_EQ(model.invariants.size(), 2U);
  EXPECT_EQ(shape(model, model.invariants[0].condition), "(B.x <= 4)");
  EXPECT_EQ(model.invariants[0].text, "B->x <= B->k");
  EXPECT_EQ(shape(model, model.invariants[1].condition), "((!B@b2) || A@a)");
  EXPECT_EQ(model.exprs[model.invariants[1].condition].where.line, 0U);
}

// ---- expressions ----

std::string guard(const std::string& text) {
  const Model model = model_of(with_transition("byte a, b, c, d, e[4];", "guard " + text + ";"));
  return model.processes.empty() ? "" : shape(model, model.processes[0].transitions[0].guard);
}

TEST(DveParse, Precedence) {
  // From the loosest to the tightest; operators of one level bind to the left.
  const std::vector<std::vector<std::string>> levels = {{"imply"},    {"||", "&&"},           {"|", "&", "^"},
                                                        {"==", "!="}, {"<", "<=", ">", ">="}, {"<<", ">>"},
                                                        {"+", "-"},   {"*", "/", "%"}};
  for (std::size_t one = 0; one < levels.size(); ++one) {
    for (std::size_t other = 0; other < levels.size(); ++other) {
      for (const std::string& first : levels[one]) {
        for (const std::string& second : levels[other]) {
          const bool to_the_left = one >= other;
          EXPECT_EQ(guard("a " + first + " b " + second + " c"),
                    to_the_left ? "((a " + first + " b) " + second + " c)" : "(a " + first + " (b " + second + " c))");
        }
      }
    }
  }
}

TEST(DveParse, UnaryOperatorsBindTightest) {
  EXPECT_EQ(guard("not a == b"), "((!a) == b)");
  EXPECT_EQ(guard("!a * b"), "((!a) * b)");
  EXPECT_EQ(guard("-a - -b"), "((-a) - (-b))");
  EXPECT_EQ(guard("~not-a"), "(~(!(-a)))");
  EXPECT_EQ(guard("not (a and b) or not e[a + 1]"), "((!(a && b)) || (!e[(a + 1)]))");
  EXPECT_EQ(guard("a*-b"), "(a * (-b))");
}

TEST(DveParse, WordsAreOperators) {
  EXPECT_EQ(guard("a and b or c"), "((a && b) || c)");
  EXPECT_EQ(guard("a or b and c"), "((a || b) && c)");
  EXPECT_EQ(guard("a imply b imply c"), "((a imply b) imply c)");
  EXPECT_EQ(guard("true and false"), "(1 && 0)");
}

TEST(DveParse, BracketsNest) {
  EXPECT_EQ(guard("((a + (b)) * c)"), "((a + b) * c)");
  EXPECT_EQ(guard("e[e[a] + e[(b - 1) * 2]]"), "e[(e[a] + e[((b - 1) * 2)])]");
  EXPECT_EQ(guard("(a && b) && (c && d)"), "((a && b) && (c && d))");
}

}  // namespace
}  // namespace tideline::dve
