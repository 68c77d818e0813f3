/* Single operations with a rounding mode other than the default one. */
#include "simt.h"

#include <cfenv>

/* The operation is a function of its own (noipa), so that the compiler does not move it out of its mode. */
#define SIMT_DEFINE_MODE(name, suffix, mode, T, parameters, operands) \
    extern "C" T simt##name##suffix parameters                        \
    {                                                                 \
        fesetround(mode);                                             \
        T result = simt##name##_plain operands;                       \
        fesetround(FE_TONEAREST);                                     \
        return result;                                                \
    }
#define SIMT_DEFINE_ROUNDED(name, T, parameters, operands, expression) \
    static __attribute__((noipa)) T simt##name##_plain parameters      \
    {                                                                  \
        return expression;                                             \
    }                                                                  \
    SIMT_DEFINE_MODE(name, _ru, FE_UPWARD, T, parameters, operands)    \
    SIMT_DEFINE_MODE(name, _rd, FE_DOWNWARD, T, parameters, operands)  \
    SIMT_DEFINE_MODE(name, _rz, FE_TOWARDZERO, T, parameters, operands)
SIMT_ROUNDED(SIMT_DEFINE_ROUNDED)
