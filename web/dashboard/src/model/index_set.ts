// A set of event indexes, one bit each.
export class IndexSet {
  private bits = new Uint32Array(64);
  private size = 0;

  // False if it was present already.
  add(index: number): boolean {
    const word = index >>> 5;
    if (word >= this.bits.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    const bit = 1 << (index & 31);
    if (this.bits[word]! & bit) return false;
    this.bits[word]! |= bit;
    this.size += 1;
    return true;
  }

  has(index: number): boolean {
    return ((this.bits[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
  }

  get count(): number {
    return this.size;
  }
}
