// Programs in SPIR-V, word by word as its specification has them.
#include "OpenCLTest.h"

#include <bit>
#include <cstring>
#include <initializer_list>

namespace {

/// out[0] = choice 8 ? choice 7 + 0 : 100, with 5 and true where nothing is chosen.
class Words {
public:
  std::vector<uint32_t> list = {0x07230203, 0x00010000, 0, 100, 0};
  void op(uint32_t opcode, std::initializer_list<uint32_t> operands) {
    list.push_back(uint32_t(operands.size() + 1) << 16 | opcode);
    list.insert(list.end(), operands);
  }
  Words() {
    enum {
      Main = 1,
      Void,
      Int,
      Pointer,
      Function,
      Bool,
      Choice,
      Truth,
      Zero,
      Hundred,
      Sum,
      Out,
      Block,
      Result
    };
    op(17, {4}), op(17, {6}), op(17, {11});        // OpCapability Addresses, Kernel, Int64
    op(14, {2, 2});                                // OpMemoryModel Physical64 OpenCL
    op(15, {6, Main, 'f'});                        // OpEntryPoint Kernel
    op(71, {Choice, 1, 7}), op(71, {Truth, 1, 8}); // OpDecorate SpecId
    op(19, {Void}), op(21, {Int, 32, 0}), op(20, {Bool});
    op(32, {Pointer, 5, Int});                   // OpTypePointer CrossWorkgroup
    op(33, {Function, Void, Pointer});           // OpTypeFunction
    op(50, {Int, Choice, 5});                    // OpSpecConstant
    op(48, {Bool, Truth});                       // OpSpecConstantTrue
    op(46, {Int, Zero});                         // OpConstantNull
    op(43, {Int, Hundred, 100});                 // OpConstant
    op(52, {Int, Sum, 128, Choice, Zero});       // OpSpecConstantOp IAdd
    op(54, {Void, Main, 0, Function});           // OpFunction
    op(55, {Pointer, Out}), op(248, {Block});    // OpFunctionParameter, OpLabel
    op(169, {Int, Result, Truth, Sum, Hundred}); // OpSelect
    op(62, {Out, Result, 2, 4});                 // OpStore Aligned 4
    op(253, {}), op(56, {});                     // OpReturn, OpFunctionEnd
  }
  size_t bytes() const { return list.size() * 4; }
};

class SpirvTest : public OpenCLTest {
protected:
  void SetUp() override {
    OpenCLTest::SetUp();
    char versions[200] = "";
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof(versions), versions, nullptr), CL_SUCCESS);
    if (!*versions)
      GTEST_SKIP() << "llvm-spirv is not installed";
    EXPECT_NE(std::string(versions).find("SPIR-V_1.0"), std::string::npos);
  }
  int resultOf(cl_program program) {
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS) << log(program);
    return resultOfBuilt(program);
  }
  int resultOfBuilt(cl_program program) {
    cl_kernel kernel = kernelOf(program, "f");
    cl_mem out = bufferOf(4);
    set(kernel, 0, out);
    EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
    int result = read<int>(out, 1)[0];
    clReleaseKernel(kernel), clReleaseMemObject(out);
    return result;
  }
  cl_program programOf(const Words &words) {
    cl_program program = clCreateProgramWithIL(context, words.list.data(), words.bytes(), &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return program;
  }
};

} // namespace

TEST_F(SpirvTest, IsBuiltAndKept) {
  Words words;
  cl_program program = programOf(words);
  EXPECT_EQ(resultOf(program), 5);
  size_t size = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size), CL_SUCCESS);
  ASSERT_EQ(size, words.bytes());
  std::vector<uint32_t> back(words.list.size());
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, size, back.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(back, words.list);
  char source[2];
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof(source), source, nullptr), CL_SUCCESS);
  EXPECT_EQ(source[0], '\0');
  clReleaseProgram(program);
}

// Work-groups may be of several sizes unless the option says no.
TEST_F(SpirvTest, TakesSizesThatDoNotDivide) {
  Words words;
  for (bool uniform : {false, true}) {
    cl_program program = programOf(words);
    ASSERT_EQ(
        clBuildProgram(program, 0, nullptr, uniform ? "-cl-uniform-work-group-size" : "", nullptr, nullptr),
        CL_SUCCESS)
        << log(program);
    cl_kernel kernel = kernelOf(program, "f");
    cl_mem out = bufferOf(4);
    set(kernel, 0, out);
    EXPECT_EQ(run(kernel, 7, 3), uniform ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS);
    EXPECT_EQ(run(kernel, 6, 3), CL_SUCCESS);
    clReleaseKernel(kernel), clReleaseMemObject(out), clReleaseProgram(program);
  }
}

TEST_F(SpirvTest, MayBeInTheOtherOrderOfBytes) {
  Words words;
  for (uint32_t &word : words.list)
    word = __builtin_bswap32(word);
  cl_program program = programOf(words);
  EXPECT_EQ(resultOf(program), 5);
  clReleaseProgram(program);
}

TEST_F(SpirvTest, ConstantsAreChosenBeforeABuild) {
  cl_program program = programOf(Words());
  cl_int seven = 77;
  cl_uchar no = 0;
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 7, sizeof(seven), &seven), CL_SUCCESS);
  EXPECT_EQ(resultOf(program), 77);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 8, sizeof(no), &no), CL_SUCCESS);
  EXPECT_EQ(resultOf(program), 100);
  no = 1;
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 8, sizeof(no), &no), CL_SUCCESS);
  EXPECT_EQ(resultOf(program), 77);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 9, sizeof(seven), &seven), CL_INVALID_SPEC_ID);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 7, 8, &seven), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 7, sizeof(seven), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(nullptr, 7, sizeof(seven), &seven), CL_INVALID_PROGRAM);
  cl_program source = build("kernel void f() {}");
  EXPECT_EQ(clSetProgramSpecializationConstant(source, 7, sizeof(seven), &seven), CL_INVALID_PROGRAM);
  clReleaseProgram(program), clReleaseProgram(source);
}

TEST_F(SpirvTest, IsCompiledAndLinked) {
  cl_program program = programOf(Words());
  ASSERT_EQ(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
      << log(program);
  cl_program linked = clLinkProgram(context, 0, nullptr, "", 1, &program, nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS) << log(linked);
  EXPECT_EQ(resultOfBuilt(linked), 5);
  clReleaseProgram(program), clReleaseProgram(linked);
}

TEST_F(SpirvTest, WhatIsNoneIsRefused) {
  Words words;
  EXPECT_EQ(clCreateProgramWithIL(context, words.list.data(), 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(context, nullptr, 20, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(nullptr, words.list.data(), words.bytes(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateProgramWithIL(context, words.list.data(), words.bytes() - 12, &error),
            nullptr); // inside of the store
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(context, words.list.data(), words.bytes() - 1, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  words.list[0] = 7;
  EXPECT_EQ(clCreateProgramWithIL(context, words.list.data(), words.bytes(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(SpirvTest, WhatCannotBeTranslatedIsABuildError) {
  Words words;
  words.op(0x7ff, {1, 2, 3}); // there is no such instruction
  cl_program program = programOf(words);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log(program).find("cannot read this SPIR-V"), std::string::npos) << log(program);
  clReleaseProgram(program);
}
