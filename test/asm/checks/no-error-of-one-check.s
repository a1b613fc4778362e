# As gcc has it: what is said of one check holds, wherever -Werror stands.
# RUN: %leno-as -c -Werror -Wno-error=unset-read %s -o %t.o 2>&1 | FileCheck %s
# RUN: %leno-as -c -Wno-error=unset-read -Werror %s -o %t.o 2>&1 | FileCheck %s
# CHECK: warning: R1 is read, but nothing has written it [-Wunset-read]
# RUN: %leno-as -c -Werror -Wno-error %s -o %t.o 2>&1 | FileCheck %s
# RUN: not %leno-as -c -Werror -Wno-error=shift-range %s -o %t.o 2>&1 | FileCheck --check-prefix=ERROR %s
# ERROR: error: R1 is read, but nothing has written it [-Werror=unset-read]
# RUN: sh -c "%leno-as -c -Wno-error=unset-raed %s; test $? = 2" 2>&1 | FileCheck --check-prefix=TYPO %s
# TYPO: there is no check 'unset-raed'; did you mean 'unset-read'?
  .kernel k
  STS [R1], RZ
  EXIT
  .endkernel
