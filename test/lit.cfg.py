"""lit's configuration: which files are tests, and the words their RUN lines may use."""
import os
import shutil
import subprocess

import lit.formats

config.name = "leno"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".s", ".test"]
config.excludes = ["Inputs", "unit", "bench", "fuzz"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.leno_binary_dir, "test-output")

config.environment["PATH"] = os.pathsep.join([config.leno_bin_dir, config.llvm_bin_dir, config.environment["PATH"]])
config.environment["NO_COLOR"] = "1"
config.environment["LENO_CACHE"] = os.environ.get("LENO_TEST_CACHE", "off")  # what other builds have left is not this one's
for name in ("LENO_TEST_EFFORT", "LENO_VECTOR", "LENO_THREADS", "LENO_TIER"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
for name in ("as", "ld", "objdump", "run", "dbg", "bench", "cc"):
    config.substitutions.append(("%leno-" + name + r"\b", os.path.join(config.leno_bin_dir, "leno-" + name)))
# lit's workers ignore SIGINT, and who started lit may have others ignored (nohup): the tools leave ignored what is, so that
# scripts which interrupt them begin with the defaults.
# A Python that sees the module leno, where there is one (not under the sanitizers).
if os.path.isdir(os.path.join(config.leno_binary_dir, "python")):
    config.available_features.add("python-module")
    def has(*modules):
        return subprocess.run([config.python, "-c", f"import importlib.util as u; assert all(map(u.find_spec, {modules}))"],
                              capture_output=True).returncode == 0
    if has("nbconvert", "ipykernel", "matplotlib"):
        config.available_features.add("notebooks")
    if has("pip", "setuptools", "wheel", "venv", "ensurepip"):
        config.available_features.add("wheels")
config.substitutions.append(("%leno-python", shutil.which("env") + " --default-signal=INT,TERM,HUP PYTHONPATH=" +
                             os.path.join(config.leno_binary_dir, "python") + " PYTHONDONTWRITEBYTECODE=1 " + config.python))
config.substitutions.append(("%python", shutil.which("env") + " --default-signal=INT,TERM,HUP " + config.python))
config.substitutions.append(("%bin-dir", config.leno_bin_dir))
config.substitutions.append((r"%build\b", config.leno_binary_dir))
config.substitutions.append(("%isa-json", os.path.join(config.leno_binary_dir, "isa", "Leno.json")))
config.substitutions.append(("%examples", os.path.join(config.leno_source_dir, "examples")))
config.substitutions.append(("%llvm-include", os.path.join(os.path.dirname(config.llvm_bin_dir), "include")))
config.substitutions.append((r"%isa\b(?!-)", os.path.join(config.leno_source_dir, "isa")))
config.substitutions.append(("%tools", os.path.join(config.leno_source_dir, "test", "tools")))
config.substitutions.append(("%bench-kernels", os.path.join(config.leno_source_dir, "test", "bench", "kernels")))
config.substitutions.append(("%hosts", os.path.join(config.leno_binary_dir, "test", "conformance-hosts")))
config.substitutions.append(("%conformance", os.path.join(config.leno_source_dir, "test", "conformance")))
if subprocess.run([config.python, "-c", "import debugpy, _pydevd_bundle"], capture_output=True).returncode == 0:
    config.available_features.add("debugpy")
config.substitutions.append(("%vendors", os.path.join(config.leno_binary_dir, "lib", "OpenCL", "vendors")))
config.substitutions.append(("%opencl-library", "-l:libOpenCL.so.1"))
config.substitutions.append((r"%cc\b", os.path.join(config.llvm_bin_dir, "clang")))
if shutil.which("clinfo") and subprocess.run([config.python, "-c", "import pyopencl"], capture_output=True).returncode == 0:
    config.available_features.add("opencl")
if os.path.exists(os.path.join(config.leno_binary_dir, "lib", "libleno-compiler.so")):
    config.available_features.add("compiled")
if shutil.which("llvm-spirv-15") and shutil.which("spirv-as"):
    config.available_features.add("spirv")
if shutil.which("dot"):
    config.available_features.add("graphviz")
if shutil.which("callgrind_annotate"):
    config.available_features.add("callgrind")
config.available_features.add("sanitized" if config.sanitized else "plain")
config.available_features.add(config.processor)  # of several vector widths: x86_64
