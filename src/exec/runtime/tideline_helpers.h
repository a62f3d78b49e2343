/* SPDX-License-Identifier: MIT */
/* Helpers of generated code, placed behind tideline_runtime.h and the definition of TL_WORDS (words of a state). Bit k
   of an object is bit k % 64 of word k / 64.

   A run of at most 57 bits can be reached in two ways. tl_peek reads it by one unaligned 8-byte load at its first byte
   (which needs a little-endian machine): for states that were written long ago. tl_get and tl_put use the two aligned
   words around it: for objects in the making, since a processor hands a recent store to a load only if the load lies
   inside it. Either way every object is followed by a word of padding. */
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "generated code needs a little-endian machine"
#endif

#define TL_INLINE static inline __attribute__((always_inline, unused))
#define TL_SHARED static __attribute__((noinline, unused))
#define TL_COLD static __attribute__((cold, noinline, unused))
#define TL_SELDOM(condition) __builtin_expect(!!(condition), 0)
#define TL_UNDEFINED INT64_MIN

/* Status of functions. */
#define TL_DONE 0
#define TL_FAILURE 1
#define TL_DISCARDED 2

typedef uint64_t tl_loose __attribute__((aligned(1), may_alias));

TL_INLINE uint64_t tl_peek(const uint64_t* words, uint64_t bit, uint64_t mask) {
  return (*(const tl_loose*)((const char*)words + (bit >> 3)) >> (bit & 7)) & mask;
}

/* Shifting by 1 and 63 - shift instead of 64 - shift keeps the amounts below 64. */
TL_INLINE uint64_t tl_get(const uint64_t* words, uint64_t bit, uint64_t mask) {
  const uint64_t* at = words + (bit >> 6);
  const uint64_t shift = bit & 63;
  return ((at[0] >> shift) | (at[1] << 1 << (63 - shift))) & mask;
}

TL_INLINE void tl_put(uint64_t* words, uint64_t bit, uint64_t mask, uint64_t code) {
  uint64_t* at = words + (bit >> 6);
  const uint64_t shift = bit & 63;
  at[0] = (at[0] & ~(mask << shift)) | (code << shift);
  const uint64_t high = mask >> 1 >> (63 - shift);
  if (high)
    at[1] = (at[1] & ~high) | (code >> 1 >> (63 - shift));
}

#define TL_CHUNK 56u
#define TL_CHUNK_MASK ((UINT64_C(1) << TL_CHUNK) - 1)
#define TL_MASK(width) ((UINT64_C(1) << (width)) - 1)

/* Runs of any length. Source and target of a copy are the same run or do not overlap. */
static __attribute__((unused)) void tl_copy(uint64_t* to, uint64_t to_bit, const uint64_t* from, uint64_t from_bit,
                                            uint64_t width) {
  for (; width > TL_CHUNK; width -= TL_CHUNK, to_bit += TL_CHUNK, from_bit += TL_CHUNK)
    tl_put(to, to_bit, TL_CHUNK_MASK, tl_get(from, from_bit, TL_CHUNK_MASK));
  tl_put(to, to_bit, TL_MASK(width), tl_get(from, from_bit, TL_MASK(width)));
}

static __attribute__((unused)) void tl_zero(uint64_t* to, uint64_t bit, uint64_t width) {
  for (; width > TL_CHUNK; width -= TL_CHUNK, bit += TL_CHUNK)
    tl_put(to, bit, TL_CHUNK_MASK, 0);
  tl_put(to, bit, TL_MASK(width), 0);
}

static __attribute__((unused)) int tl_same(const uint64_t* a, uint64_t a_bit, const uint64_t* b, uint64_t b_bit,
                                           uint64_t width) {
  for (; width > TL_CHUNK; width -= TL_CHUNK, a_bit += TL_CHUNK, b_bit += TL_CHUNK)
    if (tl_get(a, a_bit, TL_CHUNK_MASK) != tl_get(b, b_bit, TL_CHUNK_MASK))
      return 0;
  return tl_get(a, a_bit, TL_MASK(width)) == tl_get(b, b_bit, TL_MASK(width));
}

/* value * 2^amount; not 0 if that is no value. */
static __attribute__((unused)) int tl_shift_left(int64_t value, int64_t amount, int64_t* result) {
  *result = 0;
  if (amount < 0)
    return 1;
  if (amount >= 63)
    return value != 0;
  return __builtin_mul_overflow(value, INT64_C(1) << amount, result) || *result == TL_UNDEFINED;
}

/* Canonical order of a multiset: `count` slots of `stride` bits, descending as unsigned integers. Insertion sort, since
   slots are few and nearly sorted. `slots` has room for `count`. */
TL_INLINE void tl_sort_narrow(uint64_t* words, uint64_t bit, uint64_t stride, uint64_t count, uint64_t* slots) {
  const uint64_t mask = TL_MASK(stride);
  int sorted = 1;
  slots[0] = tl_get(words, bit, mask);
  for (uint64_t i = 1; i < count; i++) {
    slots[i] = tl_get(words, bit + i * stride, mask);
    sorted &= slots[i] <= slots[i - 1];
  }
  if (sorted)
    return;
  for (uint64_t i = 1; i < count; i++) {
    const uint64_t moved = slots[i];
    uint64_t k = i;
    for (; k > 0 && slots[k - 1] < moved; k--)
      slots[k] = slots[k - 1];
    slots[k] = moved;
  }
  for (uint64_t i = 0; i < count; i++)
    tl_put(words, bit + i * stride, mask, slots[i]);
}

/* Is the run at `a` less than the one at `b`? The last bit is the most significant. */
static __attribute__((unused)) int tl_less(const uint64_t* words, uint64_t a, uint64_t b, uint64_t width) {
  while (width > 0) {
    const uint64_t some = (width - 1) % TL_CHUNK + 1;
    width -= some;
    const uint64_t x = tl_get(words, a + width, TL_MASK(some));
    const uint64_t y = tl_get(words, b + width, TL_MASK(some));
    if (x != y)
      return x < y;
  }
  return 0;
}

static __attribute__((unused)) void tl_swap(uint64_t* words, uint64_t a, uint64_t b, uint64_t width) {
  while (width > 0) {
    const uint64_t some = width < TL_CHUNK ? width : TL_CHUNK;
    const uint64_t x = tl_get(words, a, TL_MASK(some));
    tl_put(words, a, TL_MASK(some), tl_get(words, b, TL_MASK(some)));
    tl_put(words, b, TL_MASK(some), x);
    a += some;
    b += some;
    width -= some;
  }
}

static __attribute__((unused)) void tl_sort_wide(uint64_t* words, uint64_t bit, uint64_t stride, uint64_t count) {
  for (uint64_t i = 1; i < count; i++)
    for (uint64_t k = i; k > 0 && tl_less(words, bit + (k - 1) * stride, bit + k * stride, stride); k--)
      tl_swap(words, bit + (k - 1) * stride, bit + k * stride, stride);
}

/* A successor is made in place: room and a copy of the state first, then the body, then the entry is counted. */
TL_INLINE uint64_t* tl_room(tl_buffer* buffer) {
  if (TL_SELDOM(buffer->count == buffer->capacity))
    buffer->grow(buffer);
  return buffer->states + buffer->count * TL_WORDS;
}

/* TL_BEGIN, defined before this text, is TL_INLINE or, in a program of many rules, TL_SHARED. */
TL_BEGIN uint64_t* tl_begin(tl_buffer* buffer, const uint64_t* state) {
  uint64_t* const made = tl_room(buffer);
  memcpy(made, state, TL_WORDS * sizeof(uint64_t));
  return made;
}

TL_INLINE void tl_add(tl_buffer* buffer, uint64_t command) {
  buffer->commands[buffer->count] = command;
  buffer->count++;
}

TL_COLD void tl_fail(tl_buffer* buffer, uint64_t command) {
  memset(tl_room(buffer), 0, TL_WORDS * sizeof(uint64_t));
  buffer->failures++;
  tl_add(buffer, command | TL_FAILED);
}
