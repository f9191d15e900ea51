"""The files and public calls of PyTorch."""

from importlib import import_module


def start():
    """Import PyTorch, and return its version."""
    return str(import_module("torch").__version__).partition("+")[0]


def torch():
    """Return the framework."""
    return import_module("torch")


def script():
    """Return a network as TorchScript."""
    return torch().jit.script(torch().nn.Sequential(torch().nn.Linear(2, 2), torch().nn.ReLU()))


def export(path):
    """Save an exported program."""
    export = import_module("torch.export")
    export.save(export.export(torch().nn.Linear(2, 2), (torch().ones(1, 2),)), path)


def load(path):
    """Load a pickle."""
    torch().load(path)


def load_script(path):
    """Load TorchScript."""
    torch().jit.load(path)


def load_lite(path):
    """Load by the lite interpreter."""
    import_module("torch.jit.mobile")._load_for_lite_interpreter(path)  # noqa: SLF001 - it has no other name


def load_export(path):
    """Load an exported program."""
    import_module("torch.export").load(path)


EVERY = {
    "load": load,
    "load(weights_only=False)": lambda path: torch().load(path, weights_only=False),
    "jit.load": load_script,
    "jit.mobile._load_for_lite_interpreter": load_lite,
    "export.load": load_export,
}
SAVERS = {
    "weights": ("model.pt", lambda path: torch().save(torch().nn.Linear(2, 2).state_dict(), path)),
    "weights, legacy format": (
        "model.pt",
        lambda path: torch().save(torch().nn.Linear(2, 2).state_dict(), path, _use_new_zipfile_serialization=False),
    ),
    "pickled module": ("model.pt", lambda path: torch().save(torch().nn.Linear(2, 2), path)),
    "TorchScript": ("model.pt", lambda path: script().save(path)),
    "TorchScript, lite": (
        "model.ptl",
        lambda path: script()._save_for_lite_interpreter(path),  # noqa: SLF001
    ),
    "torch.export": ("model.pt2", export),
}
CALLS = dict.fromkeys(SAVERS, EVERY)
