/* SPDX-License-Identifier: MIT */
/* What generated code and its host share. This text is placed in front of every generated file and is included by the
   host, so both sides see the same structures. C11 and C++. TL_ABI changes with any change here. */
#ifndef TIDELINE_RUNTIME_H
#define TIDELINE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#define TL_ABI 4u
#define TL_FAILED (UINT64_C(1) << 63)
#define TL_OUTSIDE (UINT64_C(1) << 62)

/* Successors: `count` states of `words` words, one behind the other, and the command of each. Room for `capacity` of
   them and one word of padding; grow() makes more and may move everything. An entry whose command has TL_FAILED set is
   a command that failed; `failures` counts those. One with TL_OUTSIDE led to a state in which an assumption is false: a
   step, but not a state to explore; `outside` counts those. */
typedef struct tl_buffer {
  uint64_t* states;
  uint64_t* commands;
  size_t words;
  size_t count;
  size_t capacity;
  size_t failures;
  size_t outside;
  void (*grow)(struct tl_buffer*);
} tl_buffer;

/* One per thread. */
typedef struct tl_context {
  uint8_t* covered; /* one byte per cover point */
  uint64_t* arena;  /* storage for large locals: the next free word of tl_module.arena_words */
  uint32_t depth;   /* of recursive calls */
} tl_context;

/* Results of tl_module.check, in the low two bits; the index of the property is above them. */
#define TL_HOLDS 0u
#define TL_PROPERTY_VIOLATED 1u
#define TL_PROPERTY_FAILED 2u

/* What a generated module exports, as `tl_model`. A state given to expand or check is followed by one readable word; so
   is the last of the `count` states, one behind the other, whose keys progress finds. */
typedef struct tl_module {
  uint32_t abi; /* TL_ABI */
  uint32_t covers;
  uint64_t words;
  uint64_t arena_words;
  void (*initial)(tl_context*, tl_buffer*);
  void (*expand)(tl_context*, const uint64_t* state, tl_buffer*);
  uint64_t (*check)(tl_context*, const uint64_t* state);
  void (*progress)(tl_context*, const uint64_t* states, size_t count, uint64_t* keys);
} tl_module;

#endif
