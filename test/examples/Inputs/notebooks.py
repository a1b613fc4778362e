"""Runs a notebook, and tells what it has shown.  notebooks.py NOTEBOOK.ipynb [CELL]
It must be checked in without outputs; one line for each cell with its kinds of output. CELL: Python that runs after the last
cell, what it prints comes last."""
import os
import sys
import tempfile

os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
scratch = tempfile.TemporaryDirectory(prefix="leno-")
os.environ["IPYTHONDIR"] = scratch.name  # nothing of the user's is read or written

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)
nbformat.validate(notebook)
for cell in notebook.cells:
    if cell.cell_type == "code" and (cell.outputs or cell.execution_count):
        sys.exit(f"{path} is checked in with outputs")
notebook.cells += [nbformat.v4.new_code_cell(text) for text in sys.argv[2:]]
# Generous times: a busy machine starts kernels late, and outputs, too, come after the cell that has them is done.
ExecutePreprocessor(timeout=1800, startup_timeout=1800, iopub_timeout=1800, raise_on_iopub_timeout=True,
                    kernel_name="python3").preprocess(notebook, {"metadata": {"path": os.path.dirname(path)}})
for number, cell in enumerate(notebook.cells, 1):
    if cell.cell_type == "code":
        kinds = [kind for output in cell.outputs for kind in output.get("data", {output.get("name", ""): ""})]
        print(f"cell {number}:", *kinds)
        for output in cell.outputs:
            if output.output_type == "stream":
                print(output.text, end="")
