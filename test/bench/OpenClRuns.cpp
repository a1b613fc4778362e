// The eight kernels through OpenCL. The library is found when the program runs, so that building needs
// nothing; the few declarations used stand here as the OpenCL 1.2 specification gives them. Under `oclgrind`
// the functions are in the process already, and those come first.
#include "test/bench/Bench.h"
#include "test/bench/KernelSources.h"
#include "test/bench/SpeedRuns.h"

#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

using namespace llvm;

namespace leno::bench {
namespace {

using Handle = void *; // platform, device, context, queue, program, kernel, buffer
constexpr uint64_t allDevices = 0xffffffff, readWrite = 1;
constexpr uint32_t deviceName = 0x102b, deviceVersion = 0x102f, buildLog = 0x1183, isTrue = 1;

struct OpenCl {
  int (*getPlatforms)(uint32_t, Handle *, uint32_t *);
  int (*getDevices)(Handle, uint64_t, uint32_t, Handle *, uint32_t *);
  int (*getDeviceInfo)(Handle, uint32_t, size_t, void *, size_t *);
  Handle (*createContext)(const intptr_t *, uint32_t, const Handle *, void *, void *, int *);
  Handle (*createQueue)(Handle, Handle, uint64_t, int *);
  Handle (*createProgram)(Handle, uint32_t, const char **, const size_t *, int *);
  int (*buildProgram)(Handle, uint32_t, const Handle *, const char *, void *, void *);
  int (*getBuildInfo)(Handle, Handle, uint32_t, size_t, void *, size_t *);
  Handle (*createKernel)(Handle, const char *, int *);
  int (*setArgument)(Handle, uint32_t, size_t, const void *);
  Handle (*createBuffer)(Handle, uint64_t, size_t, void *, int *);
  int (*write)(Handle, Handle, uint32_t, size_t, size_t, const void *, uint32_t, const Handle *, Handle *);
  int (*read)(Handle, Handle, uint32_t, size_t, size_t, void *, uint32_t, const Handle *, Handle *);
  int (*launch)(Handle, Handle, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,
                const Handle *, Handle *);
  int (*finish)(Handle);
  int (*releaseBuffer)(Handle);

  Error load() {
    void *library =
        dlsym(RTLD_DEFAULT, "clGetPlatformIDs") ? RTLD_DEFAULT : dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!library && !dlsym(RTLD_DEFAULT, "clGetPlatformIDs"))
      return createStringError("there is no libOpenCL.so.1");
    Error error = Error::success();
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (!function && !error)
        error = createStringError(Twine("libOpenCL has no ") + name);
    };
    find(getPlatforms, "clGetPlatformIDs");
    find(getDevices, "clGetDeviceIDs");
    find(getDeviceInfo, "clGetDeviceInfo");
    find(createContext, "clCreateContext");
    find(createQueue, "clCreateCommandQueue");
    find(createProgram, "clCreateProgramWithSource");
    find(buildProgram, "clBuildProgram");
    find(getBuildInfo, "clGetProgramBuildInfo");
    find(createKernel, "clCreateKernel");
    find(setArgument, "clSetKernelArg");
    find(createBuffer, "clCreateBuffer");
    find(write, "clEnqueueWriteBuffer");
    find(read, "clEnqueueReadBuffer");
    find(launch, "clEnqueueNDRangeKernel");
    find(finish, "clFinish");
    find(releaseBuffer, "clReleaseMemObject");
    return error;
  }
};

class OpenClRuns {
public:
  Error open();
  std::string name() const;
  /// The best of the runs that `seconds` allow after a first one; where that is 0 the first one.
  Expected<double> best(const SpeedKernel &kernel, u32 size, double seconds);

private:
  Expected<Handle> build(const SpeedKernel &kernel);
  Expected<double> run(Handle kernel, const SpeedWork &work, const Words &expected);
  /// A status that is not 0 becomes an error.
  static Error check(int status, const char *what) {
    return status ? createStringError(std::string(what) + " fails with " + std::to_string(status))
                  : Error::success();
  }

  OpenCl cl;
  Handle device = nullptr, context = nullptr, queue = nullptr;
};

Error OpenClRuns::open() {
  if (Error error = cl.load())
    return error;
  Handle platform;
  uint32_t count = 0;
  int status = 0;
  if (cl.getPlatforms(1, &platform, &count) || !count ||
      cl.getDevices(platform, allDevices, 1, &device, &count))
    return createStringError("OpenCL has no device");
  context = cl.createContext(nullptr, 1, &device, nullptr, nullptr, &status);
  if (Error error = check(status, "clCreateContext"))
    return error;
  queue = cl.createQueue(context, device, 0, &status);
  return check(status, "clCreateCommandQueue");
}

std::string OpenClRuns::name() const {
  std::string all;
  for (uint32_t what : {deviceName, deviceVersion}) {
    char text[256] = "";
    cl.getDeviceInfo(device, what, sizeof(text), text, nullptr);
    all += (all.empty() ? "" : ", ") + std::string(text);
  }
  return StringRef(all).rtrim().str();
}

Expected<Handle> OpenClRuns::build(const SpeedKernel &kernel) {
  std::string source = kernelSource("speed/" + kernel.name + ".cl");
  const char *text = source.c_str();
  int status = 0;
  Handle program = cl.createProgram(context, 1, &text, nullptr, &status);
  if (status || cl.buildProgram(program, 1, &device, "", nullptr, nullptr)) {
    char log[2000] = "";
    cl.getBuildInfo(program, device, buildLog, sizeof(log), log, nullptr);
    return createStringError(Twine("building fails: ") + log);
  }
  Handle function = cl.createKernel(program, kernel.name.c_str(), &status);
  if (Error error = check(status, "clCreateKernel"))
    return std::move(error);
  return function;
}

Expected<double> OpenClRuns::run(Handle kernel, const SpeedWork &work, const Words &expected) {
  std::vector<Handle> buffers;
  for (const Words &words : work.buffers) {
    int status = 0;
    buffers.push_back(cl.createBuffer(context, readWrite, words.size() * 4, nullptr, &status));
    if (!status)
      status =
          cl.write(queue, buffers.back(), isTrue, 0, words.size() * 4, words.data(), 0, nullptr, nullptr);
    if (Error error = check(status, "a buffer"))
      return std::move(error);
  }
  double start = processorTime();
  for (const SpeedLaunch &launch : work.launches) {
    uint32_t argument = 0;
    int status = 0;
    for (unsigned buffer : launch.buffers)
      status |= cl.setArgument(kernel, argument++, sizeof(Handle), &buffers[buffer]);
    for (uint32_t scalar : launch.scalars)
      status |= cl.setArgument(kernel, argument++, 4, &scalar);
    size_t local[] = {launch.blockX, launch.blockY};
    size_t global[] = {size_t(launch.gridX) * launch.blockX, size_t(launch.gridY) * launch.blockY};
    status |= cl.launch(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr);
    if (Error error = check(status, "a launch"))
      return std::move(error);
  }
  cl.finish(queue);
  double seconds = processorTime() - start;
  Words got(expected.size());
  if (Error error = check(
          cl.read(queue, buffers[work.result], isTrue, 0, got.size() * 4, got.data(), 0, nullptr, nullptr),
          "reading the result"))
    return std::move(error);
  for (Handle buffer : buffers)
    cl.releaseBuffer(buffer);
  if (std::string wrong = difference(work, expected, got); !wrong.empty())
    return createStringError(wrong);
  return seconds;
}

Expected<double> OpenClRuns::best(const SpeedKernel &kernel, u32 size, double seconds) {
  Expected<Handle> function = build(kernel);
  if (!function)
    return function.takeError();
  SpeedWork work = kernel.work(size);
  Words expected = expectedResult(kernel, size, work);
  // Where there is time for more than one, the first only has code made of the kernel.
  if (seconds > 0)
    if (Expected<double> first = run(*function, work, expected); !first)
      return first;
  double best = 1e9, end = now() + seconds;
  do {
    Expected<double> run = this->run(*function, work, expected);
    if (!run)
      return run;
    best = std::min(best, *run);
  } while (now() < end);
  return best;
}

} // namespace

Error runOpenCl(double seconds, bool quick) {
  OpenClRuns runs;
  if (Error error = runs.open())
    return error;
  json::Object times, failures;
  for (const SpeedKernel &kernel : speedKernels()) {
    Expected<double> best = runs.best(kernel, quick ? kernel.quickSize : kernel.size, seconds);
    if (best)
      times[kernel.name] = *best;
    else
      failures[kernel.name] = toString(best.takeError());
  }
  outs() << json::Value(json::Object{
                {"name", runs.name()}, {"seconds", std::move(times)}, {"failures", std::move(failures)}})
         << '\n';
  return Error::success();
}

} // namespace leno::bench
