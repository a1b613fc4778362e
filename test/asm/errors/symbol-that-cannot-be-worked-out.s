# What a symbol stands for is known when the file is laid out; what nothing can say then is an error in its place.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --implicit-check-not='LLVM ERROR' %s
# CHECK: symbol-that-cannot-be-worked-out.s:[[#@LINE+1]]:11: error: 'product' cannot be worked out: next to numbers there may be one label, or the difference of two labels of one section
product = begin * end
# CHECK: :[[#@LINE+1]]:16: error: 'negative' cannot be worked out
.set negative, -begin
# CHECK: :[[#@LINE+1]]:7: error: 'sum' cannot be worked out
sum = somewhere + begin
twice = (end - begin) * 2
begin: NOP
end:   NOP
