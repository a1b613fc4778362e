#include "emu/memory/MessageTransfer.h"
#include "gtest/gtest.h"
#include <algorithm>

// S3's table 1, on paper and through the modelled memories.
using namespace leno;

static constexpr MessagePlace places[] = {MessagePlace::ProducerMemory, MessagePlace::ConsumerMemory,
                                          MessagePlace::ProducerCache, MessagePlace::ConsumerCache};
static constexpr MessageDirection directions[] = {MessageDirection::HostToCore, MessageDirection::CoreToHost};

TEST(MessageFormula, S3sRows) {
  // K = 16, T = 25, with a pencil: (25+17)+50+800, (50+17)+25+400, (5+17)+30+960, (30+17)+5+80.
  EXPECT_EQ(messageFormula(MessagePlace::ProducerMemory, 25, 16), (MessageCost{42, 50, 800}));
  EXPECT_EQ(messageFormula(MessagePlace::ConsumerMemory, 25, 16), (MessageCost{67, 25, 400}));
  EXPECT_EQ(messageFormula(MessagePlace::ProducerCache, 25, 16), (MessageCost{22, 30, 960}));
  EXPECT_EQ(messageFormula(MessagePlace::ConsumerCache, 25, 16), (MessageCost{47, 5, 80}));
}

// "when T is 250 and K is 16 the third system configuration requires 1012 clock cycles ... the fourth only
// 132": the formulas give these numbers for T = 25.
TEST(MessageFormula, TheNumbersOfS3sTextAreThoseOfT25) {
  EXPECT_EQ(messageFormula(MessagePlace::ProducerCache, 25, 16).total(), 1012u);
  EXPECT_EQ(messageFormula(MessagePlace::ConsumerCache, 25, 16).total(), 132u);
  EXPECT_EQ(messageFormula(MessagePlace::ProducerCache, 250, 16).total(), 9967u);
  EXPECT_EQ(messageFormula(MessagePlace::ConsumerCache, 250, 16).total(), 1167u);
}

// "when K < 8/7, or K = 1, since K is an integer, the third configuration is faster" than the second.
TEST(MessageFormula, TheProducersCacheBeatsTheConsumersMemoryForOneWordOnly) {
  auto faster = [](u64 K) {
    return messageFormula(MessagePlace::ProducerCache, 250, K).total() <
           messageFormula(MessagePlace::ConsumerMemory, 250, K).total();
  };
  EXPECT_TRUE(faster(1));
  for (u64 K = 2; K <= 64; ++K)
    EXPECT_FALSE(faster(K)) << K;
}

TEST(MessageRuns, TakeWhatTheFormulaSays) {
  for (u64 T : {5, 25, 100, 250})
    for (u64 K = 1; K <= 64; ++K)
      for (MessagePlace place : places)
        for (MessageDirection direction : directions) {
          MessageRun run = runMessage(place, direction, T, K);
          ASSERT_EQ(run.cost, messageFormula(place, T, K))
              << "T " << T << " K " << K << " place " << int(place) << " direction " << int(direction) << ": "
              << run.cost.write << " " << run.cost.readReady << " " << run.cost.readMessage;
          ASSERT_TRUE(run.intact);
        }
}

// Whenever the consumer begins to poll: never sooner than S3's least time, never more than one poll later
// (the first of all may miss, and fetch the line from memory), and that least time is reached.
TEST(MessageRuns, PollingCostsAtMostAPoll) {
  for (u64 T : {5, 25, 100})
    for (MessagePlace place : places) {
      MessageCost formula = messageFormula(place, T, 16);
      u64 least = ~u64(0), longest = 2 * formula.readReady + T;
      for (u64 first = 0; first <= formula.write; ++first) {
        MessageRun run = runMessage(place, MessageDirection::HostToCore, T, 16, first);
        ASSERT_TRUE(run.intact);
        ASSERT_GE(run.cost.total(), formula.total());
        ASSERT_LE(run.cost.readReady, longest);
        ASSERT_EQ(run.cost.readMessage, formula.readMessage);
        least = std::min(least, run.cost.total());
      }
      EXPECT_EQ(least, formula.total());
    }
}
