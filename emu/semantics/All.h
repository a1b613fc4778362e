//===- All.h - The semantics of all families ------------------------------===//
// For those who ask of every semantic of LenoSemantics.def.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Atomic.h"
#include "emu/semantics/Bits.h"
#include "emu/semantics/Control.h"
#include "emu/semantics/Convert.h"
#include "emu/semantics/Dot.h"
#include "emu/semantics/Double.h"
#include "emu/semantics/Float.h"
#include "emu/semantics/Half.h"
#include "emu/semantics/Integer.h"
#include "emu/semantics/Logic.h"
#include "emu/semantics/Memory.h"
#include "emu/semantics/Predicate.h"
#include "emu/semantics/Special.h"
#include "emu/semantics/Video.h"
