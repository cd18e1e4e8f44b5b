/* What depends on the compiler: attributes, integers of known size, infinity. */
#ifndef STICTION_ODE_ODECONFIG_H
#define STICTION_ODE_ODECONFIG_H

#include <ode/precision.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ODE_API

#ifdef __GNUC__
#define ODE_API_DEPRECATED __attribute__((__deprecated__))
#define ODE_NORETURN __attribute__((__noreturn__))
#define ODE_INLINE __inline__
/* The library's symbol behind a declared name. */
#define ODE_LABEL_TEXT(text) #text
#define ODE_LABEL(prefix, name) ODE_LABEL_TEXT(prefix) #name
#define ODE_CALLS(name) __asm__(ODE_LABEL(__USER_LABEL_PREFIX__, name))
#else
#define ODE_API_DEPRECATED
#define ODE_NORETURN
#define ODE_INLINE __inline
#define ODE_CALLS(name)
#endif
#define ODE_PURE_INLINE static ODE_INLINE

#ifdef __cplusplus
#define ODE_EXTERN_C extern "C"
#else
#define ODE_EXTERN_C
#endif

typedef signed char dint8;
typedef unsigned char duint8;
typedef short dint16;
typedef unsigned short duint16;
typedef int dint32;
typedef unsigned int duint32;
#if ULONG_MAX > 0xffffffffUL
typedef long dint64;
typedef unsigned long duint64;
#else
#ifdef __GNUC__
__extension__ typedef long long dint64;
__extension__ typedef unsigned long long duint64;
#else
typedef __int64 dint64;
typedef unsigned __int64 duint64;
#endif
#endif
typedef ptrdiff_t ddiffint;
typedef size_t dsizeint;
typedef ptrdiff_t dintptr;
typedef size_t duintptr;

#ifdef dSINGLE
#define dInfinity ((float)HUGE_VAL)
#else
#define dInfinity ((double)HUGE_VAL)
#endif
#ifdef NAN
#define dNaN NAN
#else
#define dNaN (dInfinity - dInfinity)
#endif

#endif
