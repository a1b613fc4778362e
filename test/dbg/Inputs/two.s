        .kernel first
        .param  u32 a
        .param  f32 b
        MOV     R0, c[0][a];
        EXIT;
        .endkernel
        .kernel second
        .shared table, 64
        MOV     R5, 7;
        BPT     1;
        EXIT;
        .endkernel
