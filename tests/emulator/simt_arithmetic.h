/* Vector types, atomic operations, loads and arithmetic of CUDA C for simt.h. */
#ifndef SIMT_ARITHMETIC_H
#define SIMT_ARITHMETIC_H

#define SIMT_VECTORS(T, name, align2, align4)         \
    struct alignas(align2) name##2                    \
    {                                                 \
        T x, y;                                       \
    };                                                \
    struct alignas(align4) name##4                    \
    {                                                 \
        T x, y, z, w;                                 \
    };                                                \
    inline name##2 make_##name##2(T x, T y)           \
    {                                                 \
        return {x, y};                                \
    }                                                 \
    inline name##4 make_##name##4(T x, T y, T z, T w) \
    {                                                 \
        return {x, y, z, w};                          \
    }
SIMT_VECTORS(unsigned char, uchar, 2, 4)
SIMT_VECTORS(unsigned short, ushort, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(unsigned, uint, 8, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(unsigned long long, ulonglong, 16, 16)
SIMT_VECTORS(long long, longlong, 16, 16)
#undef SIMT_VECTORS

inline void simt_shake()
{
    if (simt_shaken)
        simt_yield();
}

/* Only for the types that CUDA has them for, so that code that compiles here compiles with nvcc. */
#define SIMT_ATOMIC(name, T, body) \
    inline T name(T *at, T value)  \
    {                              \
        simt_shake();              \
        body;                      \
    }
#define SIMT_FETCH(call) return __atomic_##call(at, value, __ATOMIC_RELAXED)
/* Operations without an atomic instruction: compare and exchange until no other thread was faster. */
#define SIMT_REPLACE(T, next)                                                                        \
    T old, fresh;                                                                                    \
    __atomic_load(at, &old, __ATOMIC_RELAXED);                                                       \
    do                                                                                               \
        fresh = (next);                                                                              \
    while (!__atomic_compare_exchange(at, &old, &fresh, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
    return old
#define SIMT_ATOMICS(T)                                                                               \
    SIMT_ATOMIC(atomicAdd, T, SIMT_FETCH(fetch_add))                                                  \
    SIMT_ATOMIC(atomicAnd, T, SIMT_FETCH(fetch_and))                                                  \
    SIMT_ATOMIC(atomicOr, T, SIMT_FETCH(fetch_or))                                                    \
    SIMT_ATOMIC(atomicXor, T, SIMT_FETCH(fetch_xor))                                                  \
    SIMT_ATOMIC(atomicExch, T, SIMT_FETCH(exchange_n))                                                \
    SIMT_ATOMIC(atomicMin, T, SIMT_REPLACE(T, old < value ? old : value))                             \
    SIMT_ATOMIC(atomicMax, T, SIMT_REPLACE(T, old > value ? old : value))                             \
    inline T atomicCAS(T *at, T expected, T value)                                                    \
    {                                                                                                 \
        simt_shake();                                                                                 \
        __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected;                                                                              \
    }
SIMT_ATOMICS(int)
SIMT_ATOMICS(unsigned)
SIMT_ATOMICS(unsigned long long)
SIMT_ATOMIC(atomicSub, int, SIMT_FETCH(fetch_sub))
SIMT_ATOMIC(atomicSub, unsigned, SIMT_FETCH(fetch_sub))
SIMT_ATOMIC(atomicAdd, float, SIMT_REPLACE(float, old + value))
SIMT_ATOMIC(atomicAdd, double, SIMT_REPLACE(double, old + value))
SIMT_ATOMIC(atomicExch, float, SIMT_REPLACE(float, value))
#undef SIMT_ATOMICS
#undef SIMT_REPLACE
#undef SIMT_FETCH
#undef SIMT_ATOMIC

template <typename T> inline T __ldg(const T *at)
{
    return *at;
}
template <typename T> inline T __ldca(const T *at)
{
    return *at;
}
template <typename T> inline T __ldcg(const T *at)
{
    simt_shake();
    return *at;
}
template <typename T> inline T __ldcs(const T *at)
{
    return *at;
}
template <typename T> inline T __ldcv(const T *at)
{
    simt_yield();
    return *at;
}
template <typename T> inline void __stcg(T *at, std::common_type_t<T> value)
{
    *at = value;
}
template <typename T> inline void __stcs(T *at, std::common_type_t<T> value)
{
    *at = value;
}
template <typename T> inline void __stwt(T *at, std::common_type_t<T> value)
{
    *at = value;
}

inline void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    simt_shake();
}
inline void __threadfence_block()
{
    simt_shake();
}
inline void __threadfence_system()
{
    __threadfence();
}

template <typename A, typename B> inline std::common_type_t<A, B> min(A a, B b)
{
    std::common_type_t<A, B> x = a, y = b;
    if constexpr (std::is_floating_point_v<decltype(x)>)
        return fmin(x, y);
    return y < x ? y : x;
}
template <typename A, typename B> inline std::common_type_t<A, B> max(A a, B b)
{
    std::common_type_t<A, B> x = a, y = b;
    if constexpr (std::is_floating_point_v<decltype(x)>)
        return fmax(x, y);
    return y > x ? y : x;
}

inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
inline int __clz(int x)
{
    return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
inline int __clzll(long long x)
{
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
inline unsigned __brev(unsigned x)
{
    unsigned out = 0;
    for (int i = 0; i < 32; i++)
        out |= (x >> i & 1) << (31 - i);
    return out;
}
inline unsigned __umulhi(unsigned a, unsigned b)
{
    return static_cast<unsigned>(static_cast<uint64_t>(a) * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector)
{
    uint64_t bytes = static_cast<uint64_t>(high) << 32 | low;
    unsigned out = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = selector >> 4 * i & 15, byte = static_cast<unsigned>(bytes >> 8 * (pick & 7)) & 255;
        out |= (pick & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
    }
    return out;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by)
{
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) << (by & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by)
{
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (by & 31));
}

inline unsigned __float_as_uint(float f)
{
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
inline int __float_as_int(float f)
{
    return static_cast<int>(__float_as_uint(f));
}
inline float __uint_as_float(unsigned bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
inline float __int_as_float(int bits)
{
    return __uint_as_float(static_cast<unsigned>(bits));
}

/* Conversions to integers saturate, as on the device; NaN becomes 0. */
template <typename I, typename F> inline I simt_to_integer(F whole)
{
    using limits = std::numeric_limits<I>;
    if (whole >= static_cast<F>(limits::max()))
        return limits::max();
    if (whole <= static_cast<F>(limits::min()))
        return limits::min();
    return whole == whole ? static_cast<I>(whole) : 0;
}
#define SIMT_TO_INTEGER(name, F, I)          \
    inline I name##_rn(F f)                  \
    {                                        \
        return simt_to_integer<I>(rint(f));  \
    }                                        \
    inline I name##_rz(F f)                  \
    {                                        \
        return simt_to_integer<I>(trunc(f)); \
    }                                        \
    inline I name##_ru(F f)                  \
    {                                        \
        return simt_to_integer<I>(ceil(f));  \
    }                                        \
    inline I name##_rd(F f)                  \
    {                                        \
        return simt_to_integer<I>(floor(f)); \
    }
SIMT_TO_INTEGER(__float2int, float, int)
SIMT_TO_INTEGER(__float2uint, float, unsigned)
SIMT_TO_INTEGER(__float2ll, float, long long)
SIMT_TO_INTEGER(__float2ull, float, unsigned long long)
SIMT_TO_INTEGER(__double2uint, double, unsigned)
SIMT_TO_INTEGER(__double2ull, double, unsigned long long)
#undef SIMT_TO_INTEGER

/* Operations that round to nearest are the compiler's; the others are in simt_rounding.cpp, which sets the mode. */
#define SIMT_ROUNDED(X)                                                          \
    X(__uint2float, float, (unsigned a), (a), static_cast<float>(a))             \
    X(__int2float, float, (int a), (a), static_cast<float>(a))                   \
    X(__ull2float, float, (unsigned long long a), (a), static_cast<float>(a))    \
    X(__ll2float, float, (long long a), (a), static_cast<float>(a))              \
    X(__ull2double, double, (unsigned long long a), (a), static_cast<double>(a)) \
    X(__double2float, float, (double a), (a), static_cast<float>(a))             \
    X(__fadd, float, (float a, float b), (a, b), a + b)                          \
    X(__fsub, float, (float a, float b), (a, b), a - b)                          \
    X(__fmul, float, (float a, float b), (a, b), a *b)                           \
    X(__fdiv, float, (float a, float b), (a, b), a / b)                          \
    X(__frcp, float, (float a), (a), 1 / a)                                      \
    X(__fsqrt, float, (float a), (a), sqrtf(a))                                  \
    X(__fmaf, float, (float a, float b, float c), (a, b, c), fmaf(a, b, c))      \
    X(__dadd, double, (double a, double b), (a, b), a + b)                       \
    X(__dmul, double, (double a, double b), (a, b), a *b)                        \
    X(__ddiv, double, (double a, double b), (a, b), a / b)
#define SIMT_DECLARE_ROUNDED(name, T, parameters, operands, expression) \
    inline T name##_rn parameters                                       \
    {                                                                   \
        return expression;                                              \
    }                                                                   \
    extern "C" T simt##name##_ru parameters;                            \
    extern "C" T simt##name##_rd parameters;                            \
    extern "C" T simt##name##_rz parameters;                            \
    constexpr auto name##_ru = simt##name##_ru;                         \
    constexpr auto name##_rd = simt##name##_rd;                         \
    constexpr auto name##_rz = simt##name##_rz;
SIMT_ROUNDED(SIMT_DECLARE_ROUNDED)
#undef SIMT_DECLARE_ROUNDED

inline float __fdividef(float a, float b)
{
    return a / b;
}

#endif
