#include "runtime/python/Binding.h"


namespace leno::python {

//===--- Ctrl-C ---------------------------------------------------------------===//

static std::atomic<host::MachineState *> interrupts = nullptr;
static std::atomic<int> pressed = 0;
static std::atomic<bool> isTold = true;
static struct sigaction pythons;

/// Python's own handler notes the interrupt; the launch need only come back.
static void onInterrupt(int signal) {
  if (++pressed == 3) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  if (isTold)
    pythons.sa_handler(signal);
  if (host::MachineState *machine = interrupts)
    machine->interrupt();
}

static unsigned long mainThread = 0;

Interruptible::Interruptible(host::MachineState *machine, bool tellsPython) {
  if (PyThread_get_thread_ident() != mainThread || interrupts)
    return;
  struct sigaction ours{};
  sigaction(SIGINT, nullptr, &pythons);
  if (pythons.sa_handler == SIG_DFL || pythons.sa_handler == SIG_IGN || pythons.sa_handler == onInterrupt)
    return;
  pressed = 0;
  isTold = tellsPython;
  interrupts = machine;
  ours.sa_handler = onInterrupt;
  sigemptyset(&ours.sa_mask);
  ours.sa_flags = SA_RESTART;
  sigaction(SIGINT, &ours, nullptr);
  isCaught = true;
}

Interruptible::~Interruptible() {
  if (!isCaught)
    return;
  sigaction(SIGINT, &pythons, nullptr);
  if (host::MachineState *machine = interrupts.exchange(nullptr); machine && pressed)
    machine->endInterrupt();
  pressed = 0;
}

void Interruptible::look() {
  if (isCaught && pressed && PyErr_CheckSignals())
    throw py::error_already_set();
}

bool Interruptible::isPressed() { return pressed; }

static void bindInterrupts() {
  py::object main = py::module_::import("threading").attr("main_thread")();
  mainThread = main.attr("ident").cast<unsigned long>();
}

} // namespace leno::python

PYBIND11_MODULE(_leno, module) {
  using namespace leno::python;
  module.doc() = "The compiled part of leno; _leno.pyi has its types.";
  module.attr("version") = LENO_VERSION;
  py::register_exception<Failure>(module, "Error", PyExc_RuntimeError);
  bindInterrupts();
  bindPrograms(module);
  bindDevices(module);
  bindLaunches(module);
  bindStreams(module);
  bindContexts(module);
  bindDebugger(module);
}
