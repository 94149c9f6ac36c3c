"""Runs the READMEs' example on a store of its own. usage: readme_example_test.py PROGRAM"""

import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as name:
    store = pathlib.Path(name) / "memory"
    result = subprocess.run([sys.argv[1], store], capture_output=True, text=True)
    assert result.returncode == 0, result
    assert result.stdout == ("Alice: I moved to Berlin last week, and I still drink oolong "
                             "tea.\n"), result
    # The second run remembers the second time it was said: nobody gave it an id.
    result = subprocess.run([sys.argv[1], store], capture_output=True, text=True)
    assert result.returncode == 0 and "oolong" in result.stdout, result
