"""Lets asyncio programs live for hours in a test, beside a venue whose clock is `follow`: `pip install time-machine`.

live_for(3600, world["now"], my_client(world)) starts programs at the world's time, lets them live for an hour of it, and
cancels them. Their `time.time()`, `datetime.now()` and `asyncio.sleep` are in that time; where all of them wait, it passes
at once. It stands still while a call of `asyncio.to_thread` or `run_in_executor` is under way: one at a time, so that the
same run sends the same requests in the same order. Around requests of a client that is asynchronous itself, write
`with asyncio.get_running_loop().under_way():`, or have its hooks do it."""

import asyncio, concurrent.futures, contextlib, datetime, selectors
import time_machine

class SkippingSelector(selectors.DefaultSelector):
    """Lets time pass at once where a loop would wait for its next timer and nothing is under way."""

    def __init__(self, pass_time):
        super().__init__()
        self.pass_time, self.pending = pass_time, 0

    def select(self, timeout=None):
        if timeout is None or timeout <= 0 or self.pending > 0:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self.pass_time(timeout)
        return ready

class SkippingLoop(asyncio.SelectorEventLoop):
    def __init__(self, begin, travel):
        self.begin, self.travel, self.elapsed = begin, travel, 0.0
        self.skipping = SkippingSelector(self.pass_time)
        super().__init__(self.skipping)
        self.set_default_executor(concurrent.futures.ThreadPoolExecutor(1))

    def time(self):
        """Seconds since the beginning: as seconds since 1970, timers that are due would be lost in rounding."""
        return self.elapsed

    def pass_time(self, seconds):
        self.elapsed += seconds
        self.travel.move_to(self.begin + datetime.timedelta(seconds=self.elapsed))

    def run_in_executor(self, executor, function, *given):
        self.skipping.pending += 1
        future = super().run_in_executor(executor, function, *given)
        future.add_done_callback(self.end_one)
        return future

    def end_one(self, _future):
        self.skipping.pending -= 1

    @contextlib.contextmanager
    def under_way(self):
        self.skipping.pending += 1
        try:
            yield
        finally:
            self.skipping.pending -= 1

def live_for(seconds, start, *programs):
    """Lets coroutines live for seconds from an instant such as world["now"]. Raises what one of them has raised."""
    begin = datetime.datetime.fromisoformat(start.replace("Z", "+00:00"))
    with time_machine.travel(begin, tick=False) as travel:
        loop = SkippingLoop(begin, travel)
        try:
            loop.run_until_complete(live(seconds, programs))
        finally:
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

async def live(seconds, programs):
    tasks = [asyncio.ensure_future(program) for program in programs]
    # Half a millisecond more, so that timers of the last instant fire.
    ended, _ = await asyncio.wait(tasks, timeout=seconds + 0.0005, return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        task.result()
