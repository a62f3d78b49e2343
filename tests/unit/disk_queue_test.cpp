// SPDX-License-Identifier: MIT
// The log and the queue on disk against std::deque, with blocks of a few records so that borders are hit.
#include "em/disk_queue.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <fstream>
#include <random>

namespace tideline {
namespace {

constexpr std::size_t kRecordBytes = 5;

std::vector<std::uint8_t> record_of(std::uint64_t value) {
  std::vector<std::uint8_t> record(kRecordBytes);
  std::memcpy(record.data(), &value, kRecordBytes);
  return record;
}

std::uint64_t value_of(const std::uint8_t* record) {
  std::uint64_t value = 0;
  std::memcpy(&value, record, kRecordBytes);
  return value;
}

class DiskQueueTest : public ::testing::Test {
 protected:
  std::unique_ptr<Env> env_ = make_real_env(false);
  Workdir workdir_{*env_, "", 0};
};

// Positions begin .. end-1 hold the values of the same numbers.
void expect_counting(RecordLog& log, RecordLog::Cursor& cursor, std::uint64_t begin, std::uint64_t end) {
  cursor.seek(begin);
  std::uint64_t expected = begin;
  for (;;) {
    const Result<std::span<const std::uint8_t>> records = cursor.next(end);
    ASSERT_TRUE(records.is_ok());
    if (records.value().empty())
      break;
    for (std::size_t at = 0; at < records.value().size(); at += kRecordBytes)
      ASSERT_EQ(value_of(records.value().data() + at), expected++);
  }
  EXPECT_EQ(expected, std::max(begin, std::min(end, log.end())));
}

TEST_F(DiskQueueTest, LogIsReadAtAnyPositionWhileItGrows) {
  RecordLog log(workdir_, FileKind::kVisited, "log", kRecordBytes, 4 * kRecordBytes, 3);
  RecordLog::Cursor cursor(log);
  std::mt19937_64 random(1);
  for (std::uint64_t i = 0; i < 500; ++i) {
    ASSERT_TRUE(log.append(record_of(i).data()).is_ok());
    if (i % 7 == 0)
      expect_counting(log, cursor, random() % (i + 1), random() % (i + 2));
  }
  expect_counting(log, cursor, 0, 1000);
}

TEST_F(DiskQueueTest, LogSavedAndLoadedIsTheSame) {
  RecordLog log(workdir_, FileKind::kVisited, "log", kRecordBytes, 4 * kRecordBytes, 3);
  std::vector<RecordLog::Part> parts;
  for (std::uint64_t i = 0; i < 301; ++i) {
    ASSERT_TRUE(log.append(record_of(i).data()).is_ok());
    if (i == 100) {
      ASSERT_TRUE(log.save(parts).is_ok());
    }
  }
  RecordLog early(workdir_, FileKind::kVisited, "log", kRecordBytes, 100, 3);
  ASSERT_TRUE(early.load(parts).is_ok());
  RecordLog::Cursor of_early(early);
  EXPECT_EQ(early.end(), 101U);
  expect_counting(early, of_early, 0, 101);
  ASSERT_TRUE(early.append(record_of(101).data()).is_ok());
  expect_counting(early, of_early, 50, 102);

  parts.clear();
  ASSERT_TRUE(log.save(parts).is_ok());
  RecordLog late(workdir_, FileKind::kVisited, "log", kRecordBytes, 4 * kRecordBytes, 3);
  ASSERT_TRUE(late.load(parts).is_ok());
  RecordLog::Cursor of_late(late);
  expect_counting(late, of_late, 0, 301);
}

TEST_F(DiskQueueTest, QueueMatchesStdDeque) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    DiskQueue queue(workdir_, "queue", kRecordBytes, (1 + seed) * kRecordBytes);
    std::deque<std::uint64_t> model;
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> out(100 * kRecordBytes);
    std::uint64_t next = 0;
    for (int step = 0; step < 3000; ++step) {
      for (std::uint64_t i = random() % (step < 1500 ? 9 : 5); i > 0; --i) {
        ASSERT_TRUE(queue.push(record_of(next).data()).is_ok());
        model.push_back(next++);
      }
      const Result<std::size_t> count = queue.pop(1 + random() % 6, out.data());
      ASSERT_TRUE(count.is_ok());
      ASSERT_EQ(count.value() == 0, model.empty());
      for (std::size_t i = 0; i < count.value(); ++i) {
        ASSERT_EQ(value_of(out.data() + i * kRecordBytes), model.front());
        model.pop_front();
      }
      ASSERT_EQ(queue.size(), model.size());
      if (random() % 500 == 0) {
        ASSERT_TRUE(queue.clear().is_ok());
        model.clear();
      }
    }
    ASSERT_TRUE(queue.clear().is_ok());
    EXPECT_EQ(workdir_.counts().disk_bytes, 0U);
  }
}

TEST_F(DiskQueueTest, WhatWasTakenLeavesTheDisk) {
  DiskQueue queue(workdir_, "queue", kRecordBytes, 10 * kRecordBytes);
  for (std::uint64_t i = 0; i < 10000; ++i)
    ASSERT_TRUE(queue.push(record_of(i * 0x9e3779b97f4a7c15U).data()).is_ok());
  const std::uint64_t full = workdir_.counts().disk_bytes;
  std::vector<std::uint8_t> out(10 * kRecordBytes);
  while (queue.size() > 1000)
    ASSERT_TRUE(queue.pop(10, out.data()).is_ok());
  EXPECT_LT(workdir_.counts().disk_bytes, full / 4);
  EXPECT_GE(workdir_.counts().state_reads, 9000U);
}

TEST_F(DiskQueueTest, AShortQueueMakesNoFile) {
  DiskQueue queue(workdir_, "queue", kRecordBytes, 10 * kRecordBytes);
  std::vector<std::uint8_t> out(10 * kRecordBytes);
  for (std::uint64_t i = 0; i < 9; ++i)
    ASSERT_TRUE(queue.push(record_of(i).data()).is_ok());
  const Result<std::size_t> count = queue.pop(10, out.data());
  ASSERT_TRUE(count.is_ok());
  EXPECT_EQ(count.value(), 9U);
  EXPECT_FALSE(workdir_.prepared());
}

TEST_F(DiskQueueTest, ATreeIsReadAtAnyPosition) {
  RecordLog log(workdir_, FileKind::kTree, "tree", sizeof(std::uint64_t), 64 * sizeof(std::uint64_t), 3);
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> numbers(1000);
  for (std::uint64_t& number : numbers) {
    number = random() >> random() % 64;
    ASSERT_TRUE(log.append(reinterpret_cast<const std::uint8_t*>(&number)).is_ok());
  }
  RecordLog::Cursor cursor(log);
  for (int times = 0; times < 200; ++times) {
    const std::uint64_t at = random() % numbers.size();
    cursor.seek(at);
    const Result<std::span<const std::uint8_t>> record = cursor.next(at + 1);
    ASSERT_TRUE(record.is_ok());
    std::uint64_t number = 0;
    std::memcpy(&number, record.value().data(), sizeof number);
    EXPECT_EQ(number, numbers[at]);
  }
}

TEST_F(DiskQueueTest, AFlippedBitIsAnErrorThatNamesTheFile) {
  RecordLog log(workdir_, FileKind::kVisited, "log", kRecordBytes, 50 * kRecordBytes, 3);
  for (std::uint64_t i = 0; i < 149; ++i)
    ASSERT_TRUE(log.append(record_of(i).data()).is_ok());
  std::vector<RecordLog::Part> parts;
  ASSERT_TRUE(log.save(parts).is_ok());
  const std::string path = workdir_.path_of(parts[0].name);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  const int byte = file.get();
  file.seekp(100);
  file.put(static_cast<char>(byte ^ 4));
  file.close();
  RecordLog::Cursor cursor(log);
  const Result<std::span<const std::uint8_t>> records = cursor.next(10);
  ASSERT_FALSE(records.is_ok());
  EXPECT_NE(records.status().message().find(path), std::string::npos);
}

TEST_F(DiskQueueTest, AFullDiskIsALimit) {
  Workdir small(*env_, "", 1000);
  DiskQueue queue(small, "queue", kRecordBytes, 200 * kRecordBytes);
  Status status;
  for (std::uint64_t i = 0; status.is_ok() && i < 1000000; ++i)
    status = queue.push(record_of(i * 0x9e3779b97f4a7c15U).data());
  EXPECT_TRUE(status.is_limit());
}

}  // namespace
}  // namespace tideline
