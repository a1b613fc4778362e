kernel void bitonic(global uint *words, uint stride, uint size) {
  uint thread = get_global_id(0), i = 2 * thread - (thread & (stride - 1));
  uint a = words[i], b = words[i + stride];
  bool up = (i & size) == 0;
  words[i] = up ? min(a, b) : max(a, b);
  words[i + stride] = up ? max(a, b) : min(a, b);
}
