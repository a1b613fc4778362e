"""The fuzzers' short runs, in a build of their own (preset fuzz)."""
import os

import lit.formats

config.name = "leno-fuzz"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.leno_binary_dir, "test-output", "fuzz")
config.environment["PATH"] = os.pathsep.join([config.leno_bin_dir, config.environment["PATH"]])
config.substitutions.append(("%corpus", os.path.join(config.leno_binary_dir, "fuzz-corpus")))
