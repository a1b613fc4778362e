//===- ElementTypes.td - What buffers and pointers are made of ------------===//
// The names that users write, in the order of asm/ElementType.h's enumeration, and the grammars' of `ptr.f32`.
//===----------------------------------------------------------------------===//

class ElementType<string name, string npyCode, int size, string kind> {
  string Name = name;
  string NpyCode = npyCode; // the dtype code of .npy without its byte order
  int Size = size;          // bytes
  string Kind = kind;       // ElementInfo::Class
}
def ELEMENT_U8 : ElementType<"u8", "u1", 1, "Unsigned">;
def ELEMENT_I8 : ElementType<"i8", "i1", 1, "Signed">;
def ELEMENT_U16 : ElementType<"u16", "u2", 2, "Unsigned">;
def ELEMENT_I16 : ElementType<"i16", "i2", 2, "Signed">;
def ELEMENT_U32 : ElementType<"u32", "u4", 4, "Unsigned">;
def ELEMENT_I32 : ElementType<"i32", "i4", 4, "Signed">;
def ELEMENT_U64 : ElementType<"u64", "u8", 8, "Unsigned">;
def ELEMENT_I64 : ElementType<"i64", "i8", 8, "Signed">;
def ELEMENT_F16 : ElementType<"f16", "f2", 2, "Float">;
def ELEMENT_F32 : ElementType<"f32", "f4", 4, "Float">;
def ELEMENT_F64 : ElementType<"f64", "f8", 8, "Float">;
def ELEMENT_Bool : ElementType<"bool", "b1", 1, "Boolean">;
def ELEMENT_C64 : ElementType<"c64", "c8", 8, "Complex">;
def ELEMENT_C128 : ElementType<"c128", "c16", 16, "Complex">;
