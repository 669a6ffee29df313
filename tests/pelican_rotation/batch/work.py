"""Work that is nothing but what may happen to a process; it loads little."""

import os
import signal
import time


def killing_number(number: int) -> int:
    """Return twice a number; 3 ends the process, 4 raises."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 4:
        raise ValueError("four")
    return 2 * number


def pid(_: int) -> int:
    """Return which process this is."""
    return os.getpid()


def sleeping(seconds: float) -> int:
    """Return which process this is, after some seconds."""
    time.sleep(seconds)
    return os.getpid()


def interrupting(number: int) -> int:
    """Return a number, after an interrupt."""
    os.kill(os.getpid(), signal.SIGINT)
    return number
