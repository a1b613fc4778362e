#include "gtest/gtest.h"

// Each function of CApi.c gives an empty text, or what was not as it should be.
extern "C" {
const char *launchesAndReadsBack(void);
const char *tellsOfKernels(void);
const char *trapsAreStatusesAndResults(void);
const char *mistakesAreToldAndChangeNothing(void);
const char *nullHandlesAreMistakes(void);
const char *everyTypeOfArgumentArrives(void);
const char *streamsRunCommands(void);
const char *streamsKeepTheirFirstError(void);
const char *messagesAreServed(void);
const char *scriptsArePlayed(void);
const char *launchesComeInMessages(void);
// Of CContexts.c.
const char *contextsShareAMachine(void);
const char *contextsEndOneByOne(void);
const char *aDeviceIsAContextToo(void);
}

TEST(CApi, LaunchesAndReadsBack) { EXPECT_STREQ(launchesAndReadsBack(), ""); }
TEST(CApi, TellsOfKernels) { EXPECT_STREQ(tellsOfKernels(), ""); }
TEST(CApi, TrapsAreStatusesAndResults) { EXPECT_STREQ(trapsAreStatusesAndResults(), ""); }
TEST(CApi, MistakesAreToldAndChangeNothing) { EXPECT_STREQ(mistakesAreToldAndChangeNothing(), ""); }
TEST(CApi, NullHandlesAreMistakes) { EXPECT_STREQ(nullHandlesAreMistakes(), ""); }
TEST(CApi, EveryTypeOfArgumentArrives) { EXPECT_STREQ(everyTypeOfArgumentArrives(), ""); }
TEST(CApi, StreamsRunCommands) { EXPECT_STREQ(streamsRunCommands(), ""); }
TEST(CApi, StreamsKeepTheirFirstError) { EXPECT_STREQ(streamsKeepTheirFirstError(), ""); }
TEST(CApi, ContextsShareAMachine) { EXPECT_STREQ(contextsShareAMachine(), ""); }
TEST(CApi, ContextsEndOneByOne) { EXPECT_STREQ(contextsEndOneByOne(), ""); }
TEST(CApi, ADeviceIsAContextToo) { EXPECT_STREQ(aDeviceIsAContextToo(), ""); }
TEST(CApi, MessagesAreServed) { EXPECT_STREQ(messagesAreServed(), ""); }
TEST(CApi, ScriptsArePlayed) { EXPECT_STREQ(scriptsArePlayed(), ""); }
TEST(CApi, LaunchesComeInMessages) { EXPECT_STREQ(launchesComeInMessages(), ""); }
