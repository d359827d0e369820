// Waits for something to become true; a wait has an end.

export async function until(isTrue, what, ms = 20_000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await isTrue();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what}: not within ${ms / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}
