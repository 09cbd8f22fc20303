"""Compile errors in the words of the real compiler's codes."""


class CompilationError(RuntimeError):
    """A graph that cannot be compiled; the message starts with the compiler's code in brackets."""

    def __init__(self, code: str, message: str):
        super().__init__(f"[{code}] {message}")
        self.code = code


def dynamic_shape(what: str) -> CompilationError:
    """A graph whose sizes are not known when it is compiled."""
    return CompilationError(
        "NCC_EMOD025", f"{what}: every dimension must have a fixed size; compile with dynamic=False"
    )
