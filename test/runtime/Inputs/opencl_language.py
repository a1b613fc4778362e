"""Places of OpenCL C that programs stumble over, one kernel each, and programs that must not build."""
from opencl_tables import *
import opencl_tables as tables

def t(name, src, want, g=(1,), l=None, opts=None, args=(), dtype=np.int32):
    try:
        prg = build(src, opts or [])
    except Exception as e:
        tables.wrong += 1
        print('BUILD', name, str(e)[:700])
        return
    n = len(want)
    r = buf(np.zeros(n, dtype))
    try:
        prg.k(queue, g, l, r, *args)
        hold('language', name, back(r, dtype, n), np.array(want, dtype))
    except Exception as e:
        tables.wrong += 1
        print('RUN', name, str(e)[:300])

def nobuild(name, src, opts=None):
    counts['refused'] = counts.get('refused', 0) + 1
    try:
        build(src, opts or [])
        tables.wrong += 1
        print('WRONG built', name)
    except Exception:
        pass
K = 'kernel void k(global int*r){'
t('macros', K + 'r[0]=__OPENCL_VERSION__;r[1]=__OPENCL_C_VERSION__;r[2]=CL_VERSION_1_0;r[3]=CL_VERSION_1_1;r[4]=CL_VERSION_1_2;r[5]=CL_VERSION_2_0;r[6]=CL_VERSION_3_0;r[7]=__ENDIAN_LITTLE__;\n#ifdef __IMAGE_SUPPORT__\nr[8]=1;\n#endif\n#ifdef __FAST_RELAXED_MATH__\nr[9]=1;\n#endif\nr[10]=__LINE__;\n#ifdef __kernel_exec\nr[11]=1;\n#endif\n}', [300, 300, 100, 110, 120, 200, 300, 1, 0, 0, 8, 1])
t('macros 1.2', K + 'r[0]=__OPENCL_VERSION__;r[1]=__OPENCL_C_VERSION__;}', [300, 120], opts=['-cl-std=CL1.2'])
t('fast', K + '\n#ifdef __FAST_RELAXED_MATH__\nr[0]=1;\n#endif\n}', [1], opts=['-cl-fast-relaxed-math'])
for e in 'cl_khr_fp64 cl_khr_fp16 cl_khr_subgroups cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_global_int32_base_atomics cl_khr_byte_addressable_store cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative'.split():
    t(e, f'#pragma OPENCL EXTENSION {e} : enable\n' + K + f'\n#ifdef {e}\nr[0]=1;\n#endif\n}}', [1])
    t(e + ' 1.2', f'#pragma OPENCL EXTENSION {e} : enable\n' + K + f'\n#ifdef {e}\nr[0]=1;\n#endif\n}}', [1], opts=['-cl-std=CL1.2'])
t('limits', K + 'r[0]=CHAR_BIT==8&&CHAR_MAX==127&&SCHAR_MIN==-128&&UCHAR_MAX==255&&SHRT_MAX==32767&&USHRT_MAX==65535&&INT_MAX==0x7fffffff&&UINT_MAX==0xffffffffu&&LONG_MAX==0x7fffffffffffffffl&&ULONG_MAX==~0ul;r[1]=FLT_DIG==6&&FLT_MANT_DIG==24&&FLT_MAX_EXP==128&&FLT_MIN_EXP==-125&&FLT_RADIX==2&&FLT_MAX==0x1.fffffep127f&&FLT_MIN==0x1p-126f&&FLT_EPSILON==0x1p-23f&&FLT_MAX_10_EXP==38&&FLT_MIN_10_EXP==-37;r[2]=DBL_DIG==15&&DBL_MANT_DIG==53&&DBL_MAX==0x1.fffffffffffffp1023&&DBL_MIN==0x1p-1022&&DBL_EPSILON==0x1p-52&&DBL_MAX_10_EXP==308;r[3]=isinf(HUGE_VALF)&&isinf(INFINITY)&&isnan(NAN)&&isinf(HUGE_VAL);r[4]=MAXFLOAT==FLT_MAX&&M_PI_F==3.14159274101257f&&M_E_F==2.71828174591064f&&M_LOG2E_F==1.44269502162933f&&M_SQRT1_2_F==0.70710676908493f&&M_PI==3.141592653589793115998&&M_2_SQRTPI==1.128379167095512558561;r[5]=FP_ILOGB0;r[6]=FP_ILOGBNAN;}', [1, 1, 1, 1, 1, -2147483648, 2147483647])
t('half limits', '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' + K + 'r[0]=HALF_DIG==3&&HALF_MANT_DIG==11&&HALF_MAX_EXP==16&&HALF_MIN_EXP==-13&&HALF_MAX==65504.0h&&HALF_EPSILON==0x1p-10h&&HALF_MIN==0x1p-14h;half x=1.5h;r[1]=(int)(x*2);r[2]=sizeof(half)+sizeof(half3)+sizeof(half16);}', [1, 3, 2 + 8 + 32])
t('sizeof', K + 'r[0]=sizeof(char)+10*sizeof(short)+100*sizeof(int)+1000*sizeof(long)+10000*sizeof(float)+100000*sizeof(double);r[1]=sizeof(char3);r[2]=sizeof(int3);r[3]=sizeof(long16);r[4]=sizeof(size_t)+sizeof(ptrdiff_t)+sizeof(intptr_t)+sizeof(void*);r[5]=sizeof(bool);struct S{char a;int3 b;char c;};r[6]=sizeof(struct S);r[7]=sizeof(event_t)>0;r[8]=vec_step(int3)*100+vec_step(char16)*10+vec_step(float);}', [1 + 20 + 400 + 8000 + 40000 + 800000, 4, 16, 128, 32, 1, 48, 1, 400 + 160 + 1])
t('swizzle', K + 'int8 a=(int8)(0,1,2,3,4,5,6,7);r[0]=a.s3;r[1]=a.hi.lo.x;r[2]=a.even.s3;r[3]=a.odd.hi.y;int4 b=a.s7531;r[4]=b.w*1000+b.x;b.xz=b.zx;r[5]=b.x*10+b.z;a.s0246=(int4)(9);r[6]=a.s0+a.s1+a.s2;int3 c=(int3)(a.lo.xy,5);r[7]=c.z+c.y;a.hi=(int4)(1,2,3,4);r[8]=a.s7*10+a.sA%1;r[9]=a.s4;}'.replace('+a.sA%1', ''), [3, 4, 6, 7, 1007, 37, 9 + 1 + 9, 6, 40, 1])
t('vector ops', K + 'int4 a=(int4)(1,2,3,4);a+=5;a*=(int4)(1,2,1,2);a=a<<1;int4 m=a>14;r[0]=a.x;r[1]=a.y;r[2]=a.z;r[3]=a.w;r[4]=m.x;r[5]=m.y;int4 q=m?a:-a;r[6]=q.x;r[7]=q.w;r[8]=any(m)*10+all(m);a++;r[9]=(a.x)+(--a).y;float4 f=(float4)(1.5f);f/=0.5f;r[10]=(int)f.w;}', [12, 28, 16, 36, 0, -1, -12, 36, 10, 13 + 28, 3])
t('out of range ids', K + 'r[0]=get_global_size(7);r[1]=get_global_id(7);r[2]=get_local_size(5);r[3]=get_local_id(5);r[4]=get_num_groups(9);r[5]=get_group_id(9);r[6]=get_global_offset(4);r[7]=get_work_dim();r[8]=get_enqueued_local_size(3);uint z=r[9];r[10]=get_global_size(z+3);}', [1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1])
t('local in function scope', 'kernel void k(global int*r){local int a[64];local int b;int i=get_local_id(0);a[i]=i*i;if(i==0)b=7;barrier(CLK_LOCAL_MEM_FENCE);r[i]=a[63-i]+b;}', [(63 - i) ** 2 + 7 for i in range(64)], (64,), (64,))
t('constant pointer tables', 'constant int a[3]={1,2,3};constant int b[3]={4,5,6};constant int*constant both[2]={a,b};kernel void k(global int*r){int i=get_global_id(0);r[i]=both[i&1][i%3];}', [[1, 2, 3][i % 3] if i % 2 == 0 else [4, 5, 6][i % 3] for i in range(6)], (6,))
t('program scope', 'global int g=5;global int*global p=&g;static global int s[4]={1,2,3,4};constant float cf=2.5f;int f(int x){static global int c=10;c+=x;return c;}kernel void k(global int*r){*p+=1;r[0]=g;r[1]=s[2];s[2]=9;r[2]=s[2];r[3]=(int)(cf*2);r[4]=f(1);r[5]=f(2);}', [6, 3, 9, 5, 11, 13])
t('generic', 'int sum(int*p,int n){int s=0;for(int i=0;i<n;++i)s+=p[i];return s;}kernel void k(global int*r){local int l[4];int q[4];for(int i=0;i<4;++i){l[i]=i;q[i]=10*i;}r[0]=1;r[1]=2;r[2]=sum((int*)l,4);r[3]=sum(q,4);r[4]=sum(r,2);int*g=r[0]?(int*)l:q;r[5]=g[3];r[6]=to_local(g)!=0;r[7]=to_global(g)!=0;r[8]=to_private(g)!=0;int*gq=q;r[9]=to_private(gq)!=0;r[10]=to_global(r)==r;r[11]=get_fence(r)==CLK_GLOBAL_MEM_FENCE;r[12]=get_fence(g)==CLK_LOCAL_MEM_FENCE;}', [1, 2, 6, 60, 3, 3, 1, 0, 0, 1, 1, 1, 1])
t('async', 'kernel void k(global int*r){local int a[64];event_t e=async_work_group_copy(a,r,32,0);e=async_work_group_strided_copy(a+32,r,8,4,e);wait_group_events(1,&e);barrier(CLK_LOCAL_MEM_FENCE);int i=get_local_id(0);int x=a[i],y=a[32+i%8];barrier(CLK_LOCAL_MEM_FENCE);a[i]=x+i;a[32+i]=y;barrier(CLK_LOCAL_MEM_FENCE);event_t f=async_work_group_copy(r,a,64,0);wait_group_events(1,&f);prefetch(r,4);event_t h=async_work_group_strided_copy(r+32,(const local int*)a,8,2,0);wait_group_events(1,&h);}', [i for i in range(32)] + [(lambda j: j // 2 if j % 2 == 0 and j < 16 else 0)(j) for j in range(32)], (32,), (32,))
t('switch goto-free', K + 'for(int i=0;i<6;++i){switch(i){case 0:r[i]=5;break;case 1:case 2:r[i]=6;break;case 4:r[i]=1;default:r[i]+=7;}}}', [5, 6, 6, 7, 8, 7])
t('unions structs', 'typedef union{int i;float f;uchar4 c;}U;typedef struct{U u;short s[3];}S;S make(int x){S s;s.u.i=x;s.s[0]=1;s.s[1]=2;s.s[2]=3;return s;}kernel void k(global int*r){S a=make(0x3f800000),b=a;b.s[1]=9;r[0]=a.u.f==1.0f;r[1]=b.u.c.w;r[2]=a.s[1]+b.s[1];}', [1, 63, 11])
t('recursion-free deep calls', 'int f1(int x){return x+1;}int f2(int x){return f1(x)*2;}int f3(int x){return f2(x)-f1(x);}kernel void k(global int*r){int i=get_global_id(0);r[i]=f3(i);}', [i + 1 for i in range(40)], (40,))
t('kernel calls kernel', 'kernel void a(global int*r,int x){r[get_global_id(0)]=x;}kernel void k(global int*r){a(r,get_global_id(0)+3);}', [3 + i for i in range(10)], (10,))
t('kernel with local called', 'kernel void a(global int*r,local int*s){s[get_local_id(0)]=get_local_id(0);barrier(CLK_LOCAL_MEM_FENCE);r[get_global_id(0)]=s[0]+s[1];}kernel void k(global int*r){local int q[2];a(r,q);}', [1, 1], (2,), (2,))
t('enum bool ternary', K + 'enum{A=3,B};bool b=r[0]==0;r[0]=b?A:B;r[1]=(bool)0.5f;r[2]=!b;}', [3, 1, 0])
t('isfinite etc', K + 'float n=NAN,i=INFINITY,d=1e-40f;r[0]=isnan(n)+10*isinf(i)+100*isfinite(d)+1000*isnormal(d)+10000*signbit(-d);float2 v=(float2)(n,1);int2 m=isnan(v);r[1]=m.x*10+m.y;r[2]=isequal(n,n);r[3]=isunordered(n,1.0f);r[4]=islessgreater(1.0f,2.0f);long2 l=isless((double2)(1,2),(double2)(2,1));r[5]=l.x*10+l.y;r[6]=isordered((float)1,(float)2);r[7]=isnotequal(n,n);}', [1 + 10 + 100 + 10000, -10, 0, 1, 1, -10, 1, 1])
t('printf returns', 'kernel void k(global int*r){r[0]=printf("%d\\n",1)==0;r[1]=printf("%s %v4d\\n","x",(int4)(1,2,3,4))==0;}', [1, 1])
t('__attribute__', 'typedef struct __attribute__((packed)){char a;int b;}P;typedef struct{char a;int b __attribute__((aligned(16)));}Q;kernel __attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(4,1,1))) void k(global int*r){r[0]=sizeof(P);r[1]=sizeof(Q);__attribute__((opencl_unroll_hint(4))) for(int i=0;i<4;++i)r[2]+=i;int a __attribute__((aligned(64)));r[3]=((ulong)&a)%64;}', [5, 32, 6, 0])
t('pragma unroll', K + 'int s=0;\n#pragma unroll 8\nfor(int i=0;i<100;++i)s+=i;\nr[0]=s;\n#pragma unroll\nfor(int i=0;i<7;++i)r[1]+=i;\n}', [4950, 21])
t('nan payload', K + 'r[0]=as_int(nan(0x123u))&0x3fffff;r[1]=isnan(nan(0u));r[2]=as_long(nan(0x5ul))&0xff;}', [291, 1, 5])
t('bitfield ops on long', K + 'long a=-5;ulong b=~0ul;r[0]=a>>1;r[1]=(int)(b>>60);r[2]=a/2;r[3]=a%3;r[4]=(int)((uint)-1/7u);r[5]=mul24(5,-3);r[6]=mad24(5u,3u,1u);}', [-3, 15, -2, -2, 613566756, -15, 16])
t('step etc', K + 'r[0]=(int)step(1.0f,2.0f);r[1]=(int)(smoothstep(0.0f,1.0f,0.5f)*8);r[2]=(int)sign(-3.0f);r[3]=(int)mix(1.0f,3.0f,0.5f);r[4]=(int)clamp(5.0f,1.0f,3.0f);float4 c=cross((float4)(1,0,0,0),(float4)(0,1,0,0));r[5]=c.z;r[6]=(int)length((float4)(1,1,1,1));r[7]=(int)distance((float2)(0,3),(float2)(4,0));r[8]=(int)dot((float3)(1,2,3),(float3)(1,2,3));float2 n=normalize((float2)(3,4));r[9]=(int)rint(n.x*10);r[10]=(int)fast_length((float2)(3,4));r[11]=(int)max((float2)(1,5),2.0f).x;r[12]=isnan(sign(NAN))?1:sign(NAN)==0?2:3;}', [1, 4, -1, 2, 3, 1, 2, 5, 14, 6, 5, 2, 2])
t('big private array', K + 'int a[1000];for(int i=0;i<1000;++i)a[i]=i*get_global_size(0);int s=0;for(int i=0;i<1000;++i)s+=a[(i*7)%1000];r[get_global_id(0)]=s;}', [499500 * 8] * 8, (8,))
t('offset ids', 'kernel void k(global int*r){r[get_global_id(0)-get_global_offset(0)]=get_global_linear_id();}', list(range(5)), (5,))
for o in '-cl-opt-disable;-cl-single-precision-constant;-cl-denorms-are-zero;-cl-fp32-correctly-rounded-divide-sqrt;-cl-strict-aliasing;-cl-uniform-work-group-size;-cl-no-subgroup-ifp;-cl-mad-enable;-cl-no-signed-zeros;-cl-unsafe-math-optimizations;-cl-finite-math-only;-w;-Werror;-DX=3;-D X=3;-cl-kernel-arg-info;-g;-cl-std=CL1.1;-cl-std=CL1.0;-cl-std=CL3.0'.split(';'):
    t('option ' + o, K + 'r[0]=1;}', [1], opts=[o])
nobuild('syntax', K + 'r[0]=;}')
nobuild('unknown function', K + 'r[0]=nowhere(1);}')
nobuild('call undefined', 'int f(int);' + K + 'r[0]=f(1);}')
nobuild('write constant', 'kernel void k(constant int*r){r[0]=1;}')
nobuild('recursive kernel args', 'kernel void k(global int**r){}', ['-cl-std=CL1.2'])
nobuild('option', 'kernel void k(global int*r){}', ['-foo'])
nobuild('error directive', '#error no\n' + K + '}')
nobuild('werror', K + 'int unused; return r;}', ['-Werror'])
nobuild('half without pragma', 'kernel void k(global int*r){half x=1;}')
nobuild('double off in 1.0? kernel returning', 'kernel int k(global int*r){return 1;}')
nobuild('function pointer', 'void f(){}' + K + 'void(*p)()=f;p();}')
nobuild('variadic', 'int f(int a,...);' + K + '}')
nobuild('image', 'kernel void k(read_only image2d_t i,global int*r){r[0]=get_image_width(i);}')
end()
